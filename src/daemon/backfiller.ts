import fs from 'node:fs';
import path from 'node:path';
import { type BackfillOptions, backfill } from '../backfill/index.ts';
import { findTranscripts, transcriptFolders } from '../clients/index.ts';
import type { Engine } from '../engine/index.ts';
import { type RequestContext, RequestError } from '../rpc/index.ts';

export interface BackfillerOptions {
  readonly engine: Engine;
  readonly root: string;
  readonly home: string;
  readonly script: URL;
}

export interface BackfillRequest {
  readonly dir?: string | undefined;
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

  /** @throws RequestError `busy` while another one runs, `bad_request` for a folder that is not there */
  async run(request: BackfillRequest, { interim, signal }: RequestContext): Promise<object> {
    const files = this.#files(request.dir);
    if (this.#running) throw new RequestError('busy', 'another backfill is under way; wait for it to end');
    this.#running = true;
    try {
      return await backfill({
        files,
        signal,
        script: this.#options.script,
        store: request.dryRun ? this.#look() : (events) => this.#options.engine.call('commit', { events }),
        progress: (progress) => {
          if (request.progress) interim({ progress: { ...progress } });
        },
      });
    } finally {
      this.#running = false;
    }
  }

  #files(dir: string | undefined): string[] {
    const { root, home } = this.#options;
    if (dir === undefined) return transcriptFolders(root, home).flatMap((folder) => findTranscripts(folder));
    if (!path.isAbsolute(dir))
      throw new RequestError('bad_request', 'backfill: dir must be an absolute path');
    const stat = fs.statSync(dir, { throwIfNoEntry: false });
    if (stat === undefined) throw new RequestError('bad_request', `backfill: there is no ${dir}`);
    return stat.isDirectory() ? findTranscripts(dir) : [dir];
  }

  /** Stores nothing and answers what storing would have. */
  #look(): BackfillOptions['store'] {
    const seen = new Set<string>();
    return async (events) => {
      const ids = events.map((event) => event.id);
      const known = new Set(await this.#options.engine.call('known', { ids }));
      let inserted = 0;
      for (const id of ids) {
        if (!known.has(id) && !seen.has(id)) inserted += 1;
        seen.add(id);
      }
      return { inserted, duplicates: ids.length - inserted };
    };
  }
}
