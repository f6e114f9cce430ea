import fs from 'node:fs';
import path from 'node:path';
import { clientVariablesOf } from '../../core/event/index.ts';
import { pathCharsMax } from '../../core/limits.ts';
import { type RequestContext, refusal } from '../../core/rpc/index.ts';
import { backfill, type Source } from '../backfill/index.ts';
import type { Engine } from '../engine/index.ts';
import type { StartContext } from './start-context.ts';

export interface BackfillerOptions extends Pick<StartContext, 'workspace' | 'home' | 'env' | 'config'> {
  readonly engine: Engine;
  readonly script: URL;
}

export interface BackfillRequest {
  readonly dir?: string | undefined;
  /** The client's environment, read for the assistants' own variables; by default the daemon's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly dryRun: boolean;
  readonly progress: boolean;
}

/** The `backfill` op: one run at a time. */
export class Backfiller {
  readonly #options: BackfillerOptions;
  #running = false;

  constructor(options: BackfillerOptions) {
    this.#options = options;
  }

  /** @throws Failure `busy` while another one runs, `bad_request` for a folder that does not exist */
  async run(request: BackfillRequest, { interim, signal }: RequestContext): Promise<object> {
    const source = this.#source(request);
    if (this.#running) throw refusal('busy', 'another backfill is running. Wait for its end.');
    this.#running = true;
    try {
      return await backfill({
        source,
        signal,
        script: this.#options.script,
        dryRun: request.dryRun,
        messages: this.#options.config['capture.messages'],
        engine: this.#options.engine.connect(),
        progress: (progress) => {
          if (request.progress) interim({ progress: { ...progress } });
        },
      });
    } finally {
      this.#running = false;
    }
  }

  #source({ dir, env: asked }: BackfillRequest): Source {
    const { workspace, home, env } = this.#options;
    if (dir === undefined) return { root: workspace.root, home, env: clientVariablesOf(asked ?? env) };
    if (!path.isAbsolute(dir)) throw refusal('bad_request', 'backfill: dir must be an absolute path');
    if (!fs.existsSync(dir))
      throw refusal('bad_request', `backfill: ${dir.slice(0, pathCharsMax)} does not exist`);
    return { from: dir };
  }
}
