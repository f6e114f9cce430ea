import fs from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { modelRetryMs, modelRetryMsMax } from '../../limits.ts';
import { Failure, messageOf } from '../../platform/index.ts';
import type { Embedder } from '../embedder.ts';
import type { EmbedderSource } from '../source.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { modelFiles } from './static-model.ts';
import { type LoadedModel, ModelThread, UnusableModel } from './thread.ts';
import { unusable } from './unusable.ts';

export interface FolderSettings {
  /** `embed.modelPath`: an absolute path, or one that begins with `~/`. */
  readonly folder: string;
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  /** Told once of each fault, in words. */
  readonly broken: (failure: Failure) => void;
  /** How long the model stays in memory without work. */
  readonly idleMs?: number;
  /** In ms; `performance.now` by default. */
  readonly now?: () => number;
}

/**
 * The embedder of a folder of weights. The folder is looked at (three `stat`s) each time; the model is loaded when the files
 * are there and not the ones that were loaded, or found to be broken, before. A load that failed for another reason than the
 * files (its time was over, memory was short) is tried again after `modelRetryMs`, twice as long after each further failure, at
 * the most `modelRetryMsMax`.
 */
export function folderSource({
  folder: given,
  script,
  broken,
  idleMs,
  now = () => performance.now(),
}: FolderSettings): EmbedderSource {
  const folder = path.resolve(given.replace(/^~(?=\/)/, homedir()));
  const name = `folder:${path.basename(folder)}`;
  const thread = new ModelThread({ folder, script, ...(idleMs === undefined ? {} : { idleMs }) });
  let seen = '';
  let embedder: Embedder | null = null;
  let told = '';
  let failures = 0;
  let againAt = Number.POSITIVE_INFINITY;
  const tell = (error: unknown) => {
    const failure = error instanceof Failure ? error : new Failure('embed_model', messageOf(error));
    if (failure.message !== told) broken(failure);
    told = failure.message;
  };
  return {
    name,
    look: async (signal) => {
      try {
        if (!/^(~\/|\/|[A-Za-z]:)/.test(given)) throw unusable(given, 'is not an absolute path');
        const state = stateOf(folder);
        if (state === seen && now() < againAt) return embedder;
        embedder = null;
        await thread.end('the files of the model have changed');
        const loaded = await unlessAborted(thread.load(), signal);
        embedder = embedderOf(name, thread, loaded);
        told = '';
        failures = 0;
        againAt = Number.POSITIVE_INFINITY;
        seen = state;
      } catch (error) {
        if (signal.aborted) return null;
        embedder = null;
        againAt = Number.POSITIVE_INFINITY;
        seen = stateIfThere(folder);
        if (seen !== '' && !(error instanceof UnusableModel)) {
          againAt = now() + Math.min(modelRetryMsMax, modelRetryMs * 2 ** Math.min(failures, 16));
          failures += 1;
        }
        tell(error);
      }
      return embedder;
    },
    // A model that cannot be asked any more is loaded anew by the next look.
    forget: () => {
      seen = '';
    },
    close: () => thread.close(),
  };
}

/** Changes when a file of the folder does. @throws Failure `embed_model` when one is missing */
function stateOf(folder: string): string {
  return modelFiles
    .map((file) => {
      const stat = fs.statSync(path.join(folder, file), { throwIfNoEntry: false });
      if (stat === undefined) throw unusable(path.join(folder, file), 'is not there');
      return `${stat.size}-${stat.mtimeMs}-${stat.ino}`;
    })
    .join(' ');
}

function stateIfThere(folder: string): string {
  try {
    return stateOf(folder);
  } catch {
    // Not whole: the next look says so again, if it is in other words.
    return '';
  }
}

function embedderOf(name: string, thread: ModelThread, { dim, version }: LoadedModel): Embedder {
  return {
    name,
    dim,
    version,
    // Means of word vectors put unrelated texts at 0 to 0.2.
    minSimilarity: 0.2,
    // Measured on word vectors that were learned from the data itself, for want of a model (docs/decisions/008).
    neighbourhood: { halving: 10, own: 1 },
    legWeight: 0.1,
    embed: async (texts, signal) => {
      const packed = await thread.embed(texts, version, signal);
      return texts.map((_, at) => packed.slice(at * dim, (at + 1) * dim));
    },
  };
}
