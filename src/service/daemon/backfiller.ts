import fs from 'node:fs';
import path from 'node:path';
import { clientVariablesOf } from '../../core/event/index.ts';
import { pathCharsMax } from '../../core/limits.ts';
import { type RequestContext, refusal } from '../../core/rpc/index.ts';
import { backfill, type Source } from '../backfill/index.ts';
import type { Engine } from '../engine/index.ts';

export interface BackfillerOptions {
  readonly engine: Engine;
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly script: URL;
}

export interface BackfillRequest {
  readonly dir?: string | undefined;
  /** The asker's environment, of which the assistants' own variables count; without it, the daemon's does. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly dryRun: boolean;
  readonly progress: boolean;
}

/** The `backfill` op: which transcripts, where to store them, one run at a time. */
export class Backfiller {
  readonly #options: BackfillerOptions;
  #running = false;

  constructor(options: BackfillerOptions) {
    this.#options = options;
  }

  /** @throws Failure `busy` while another one runs, `bad_request` for a folder that is not there */
  async run(request: BackfillRequest, { interim, signal }: RequestContext): Promise<object> {
    const source = this.#source(request);
    if (this.#running) throw refusal('busy', 'another backfill is under way; wait for it to end');
    this.#running = true;
    try {
      return await backfill({
        source,
        signal,
        script: this.#options.script,
        dryRun: request.dryRun,
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
    const { root, home, env } = this.#options;
    if (dir === undefined) return { root, home, env: clientVariablesOf(asked ?? env) };
    if (!path.isAbsolute(dir)) throw refusal('bad_request', 'backfill: dir must be an absolute path');
    if (!fs.existsSync(dir))
      throw refusal('bad_request', `backfill: there is no ${dir.slice(0, pathCharsMax)}`);
    return { from: dir };
  }
}
