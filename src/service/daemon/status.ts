import type { Intake } from '../../capture/intake/index.ts';
import { probeIntervalMs } from '../../core/limits.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import { readScope, type Scope, scopeFile } from '../../guard/boundary/index.ts';
import type { BackendState } from '../../memory/consolidate/index.ts';
import type { Counts } from '../../memory/store/index.ts';
import type { Engine } from '../engine/index.ts';
import {
  Backlog,
  describeWorkspace,
  type Figures,
  type Info,
  lineOf,
  reportedBy,
  shownUsage,
  version,
} from '../info/index.ts';
import type { EventLoopWatch } from './event-loop.ts';

const backendStateWaitMs = 500;

/** What the bridge has to say of itself. */
export interface BridgeStatus {
  /** What `info` shows. */
  readonly http: { readonly url: string } | null;
  /** For the user, when it should run and does not, or not as asked. */
  readonly warning: string | null;
  /** For the user, when the token was changed since a code was used twice. */
  readonly rotated: string | null;
}

export interface StatusOptions {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly intake: Intake;
  readonly eventLoop: EventLoopWatch;
  readonly report: (message: string, fields: object) => void;
  readonly search: Info['search'];
  /** What the settings gave reason to say. */
  readonly warnings: readonly string[];
  readonly bridge: () => BridgeStatus | null;
  /** What retention could not do, for the user. */
  readonly retention: () => string | null;
}

/** Tells what `info` shows of a running daemon. */
export class Status {
  readonly #options: StatusOptions;
  readonly #started = performance.now();
  #backends: BackendState | null = null;
  #asked = Number.NEGATIVE_INFINITY;
  #scopeError: string | null = null;
  readonly #backlog = new Backlog();

  constructor(options: StatusOptions) {
    this.#options = options;
    this.#scope();
  }

  /** Rules that are not in force although the user wrote some are told in the log, once each time they change. */
  #scope(): Scope {
    const { workspace, report } = this.#options;
    const file = scopeFile(workspace.root);
    const scope = readScope(file);
    const error = scope.state === 'invalid' ? scope.error : null;
    if (error !== null && error !== this.#scopeError) report('the boundary is NOT in force', { file, error });
    this.#scopeError = error;
    return scope;
  }

  /** `known` saves counting, where somebody has counted already. */
  async info(known?: Counts): Promise<Info> {
    const { workspace, engine, intake, eventLoop } = this.#options;
    const bridge = this.#options.bridge();
    const [counts, usage, budget, focus, backends] = await Promise.all([
      known ?? engine.call('counts'),
      engine.call('usage'),
      engine.call('budget'),
      engine.call('focus'),
      this.#backendState(),
    ]);
    const scope = this.#scope();
    const findings = this.#told(counts, budget, scope);
    return {
      version,
      workspace: describeWorkspace(workspace),
      daemon: {
        reachable: true,
        pid: process.pid,
        uptimeSec: Math.round(performance.now() - this.#started) / 1000,
      },
      counts,
      backends: backends ?? { drain: null, drainError: null, drainHint: null, embedder: null },
      http: bridge?.http ?? null,
      search: this.#options.search,
      focus,
      scope,
      usage: shownUsage(usage),
      budget,
      counters: { ...intake.counters, loopDelayMaxMs: eventLoop.maxMs() },
      warnings: findings.map(lineOf),
      findings,
    };
  }

  /** The worst that is amiss, in one line; null: nothing. Waits for no model. */
  async worst(): Promise<string | null> {
    const { engine } = this.#options;
    const [counts, budget] = await Promise.all([engine.call('counts'), engine.call('budget')]);
    const [first] = this.#told(counts, budget, this.#scope());
    return first === undefined ? null : lineOf(first);
  }

  #told(counts: Counts, budget: Info['budget'], scope: Scope): Info['findings'] {
    const { workspace, intake, warnings, retention } = this.#options;
    const some = (text: string | null | undefined): string[] => (text ? [text] : []);
    const own: Figures['own'] = {
      config: warnings,
      capture: intake.warnings(),
      bridge: [...some(this.#options.bridge()?.warning), ...some(this.#options.bridge()?.rotated)],
      retention: some(retention()),
    };
    const backlogMs = this.#backlog.see(counts.raw, performance.now());
    return reportedBy({ counts, budget, scope, scopeFile: scopeFile(workspace.root), backlogMs, own });
  }

  /** As last seen, looked at anew in the background: asking for the status must not wait for a model. */
  async #backendState(): Promise<BackendState | null> {
    if (performance.now() - this.#asked < probeIntervalMs) return this.#backends;
    this.#asked = performance.now();
    const look = this.#options.engine.call('backends').then((state) => {
      this.#backends = state;
    });
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, backendStateWaitMs);
    });
    await Promise.race([look, patience]);
    clearTimeout(timer);
    return this.#backends;
  }
}
