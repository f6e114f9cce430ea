import type { Intake } from '#capture/intake';
import { probeIntervalMs } from '#core/limits';
import { atMost, bytesIn, inSentences, openFilesMax } from '#core/platform';
import { readScope, type Scope, scopeFile } from '#guard/boundary';
import type { BackendState } from '#memory/consolidate';
import type { Counts } from '#memory/store';
import type { Engine } from '#service/engine';
import {
  Backlog,
  conditions,
  connectedIn,
  describeWorkspace,
  findingsIn,
  type Info,
  lineOf,
  shownUsage,
} from '#service/info';
import { version } from '../../core/version.ts';
import type { StartContext } from './start-context.ts';

const backendStateWaitMs = 500;

export interface BridgeStatus {
  /** As in `info`. */
  readonly http: { readonly url: string } | null;
  /** For the user, when the bridge does not run as configured. */
  readonly warning: string | null;
  /** For the user, after the token was changed because a code was used twice. */
  readonly rotated: string | null;
  /** When another program replaced the token; null: none did. */
  readonly tokenReplacedAt: Date | null;
}

export interface StatusOptions
  extends Pick<StartContext, 'workspace' | 'env' | 'config' | 'warnings' | 'logger'> {
  readonly engine: Engine;
  readonly intake: Intake;
  readonly bridge: () => BridgeStatus | null;
  readonly retentionWarning: () => string | null;
  readonly isEmbedding: () => boolean;
}

/** The `info` of a running daemon. */
export class Status {
  readonly #options: StatusOptions;
  readonly #started = performance.now();
  readonly #backlog = new Backlog();
  #backends: BackendState | null = null;
  #probedAt = Number.NEGATIVE_INFINITY;
  #isShortOfFiles = false;
  #scopeError: string | null = null;
  #running: Promise<Info> | null = null;
  #next: Promise<Info> | null = null;

  constructor(options: StatusOptions) {
    this.#options = options;
    this.#scope();
  }

  /** `known` saves counting again, and leaves out the receipts and who recorded. */
  info(known?: Counts): Promise<Info> {
    if (known !== undefined) return this.#look(known);
    if (this.#running === null) return this.#run();
    // Who asks meanwhile shares the next one: many that ask at once must not hold up everything else.
    const next = (): Promise<Info> => {
      this.#next = null;
      return this.#run();
    };
    this.#next ??= this.#running.then(next, next);
    return this.#next;
  }

  #run(): Promise<Info> {
    const running = this.#look().finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }

  async #look(known?: Counts): Promise<Info> {
    const { workspace, env, config, engine, intake, bridge } = this.#options;
    const [counts, recorded, usage, budget, focus, receipts, backends] = await Promise.all([
      known ?? engine.call('counts'),
      known === undefined ? engine.call('recorders') : [],
      engine.call('usage'),
      engine.call('budget'),
      engine.call('focus'),
      known === undefined ? engine.call('receipts') : null,
      this.#backendState(),
    ]);
    const scope = this.#scope();
    const findings = this.#findings(counts, budget, scope);
    return {
      version,
      workspace: describeWorkspace(workspace),
      daemon: {
        reachable: true,
        pid: process.pid,
        uptimeSec: Math.round(performance.now() - this.#started) / 1000,
      },
      counts,
      bytes: bytesIn(workspace.folder),
      recorded,
      connected: known === undefined ? connectedIn(env) : [],
      messages: config['capture.messages'],
      backends: backends ?? { drain: null, drainError: null, drainHint: null, embedder: null },
      http: bridge()?.http ?? null,
      search: {
        topK: config.topK,
        halfLifeDays: config['search.halfLifeDays'],
        decayFloor: config['search.decayFloor'],
      },
      focus,
      receipts,
      scope,
      usage: shownUsage(usage),
      budget,
      counters: { ...intake.counters },
      warnings: findings.map(lineOf),
      findings,
    };
  }

  /** The worst finding in one line, or null. Waits for no model. */
  async worst(): Promise<string | null> {
    const { engine } = this.#options;
    const [counts, budget] = await Promise.all([engine.call('counts'), engine.call('budget')]);
    const first = this.#findings(counts, budget, this.#scope()).find(({ severity }) => severity !== 'note');
    return first === undefined ? null : lineOf(first);
  }

  /** The limit of open files leaves no room for a new connection: logged once, and a finding from now on. */
  shortOfFiles(): void {
    if (this.#isShortOfFiles) return;
    this.#isShortOfFiles = true;
    const { sentence, repair } = conditions.openFiles;
    this.#options.logger.warn(inSentences(`${sentence}: it is ${openFilesMax()}`, repair));
  }

  /** Rules that the user wrote and that are not in force are logged once each time they change. */
  #scope(): Scope {
    const { workspace, logger } = this.#options;
    const file = scopeFile(workspace.root);
    const scope = readScope(file);
    const error = scope.state === 'invalid' ? scope.error : null;
    if (error !== null && error !== this.#scopeError)
      logger.warn({ file, error }, 'the boundary is NOT in force');
    this.#scopeError = error;
    return scope;
  }

  #findings(counts: Counts, budget: Info['budget'], scope: Scope): Info['findings'] {
    const { workspace, intake, warnings, retentionWarning, isEmbedding, bridge } = this.#options;
    const some = (text: string | null | undefined): string[] => (text ? [text] : []);
    const findings = findingsIn({
      counts,
      budget,
      scope,
      scopeFile: scopeFile(workspace.root),
      tokenReplacedAt: bridge()?.tokenReplacedAt ?? null,
      openFilesMax: this.#isShortOfFiles ? openFilesMax() : null,
      backlogMs: this.#backlog.see(counts.raw, performance.now()),
      reported: {
        config: warnings,
        capture: intake.warnings(),
        bridge: [...some(bridge()?.warning), ...some(bridge()?.rotated)],
        retention: some(retentionWarning()),
      },
    });
    // Vectors that are being made are not missing.
    return isEmbedding() ? findings.filter(({ code }) => code !== conditions.vectors.code) : findings;
  }

  /** The last known state; a new one is fetched in the background, so that `info` does not wait for a model. */
  async #backendState(): Promise<BackendState | null> {
    if (performance.now() - this.#probedAt < probeIntervalMs) return this.#backends;
    this.#probedAt = performance.now();
    const probe = this.#options.engine.call('backends').then((state) => {
      this.#backends = state;
    });
    await atMost(probe, backendStateWaitMs);
    return this.#backends;
  }
}
