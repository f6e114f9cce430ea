import type { Config } from '../../core/config/index.ts';
import { EmbedderCascade } from '../embed/index.ts';
import type { Store } from '../store/index.ts';

export interface EmbedderParts {
  readonly store: Store;
  readonly config: Config;
  readonly report: (message: string, fields: Readonly<Record<string, string>>) => void;
}

/** The embedders of the settings, with the vectors of the store. */
export function openEmbedders({ store, config, report }: EmbedderParts): EmbedderCascade {
  const { embeddings, settings } = store;
  return new EmbedderCascade({
    endpoint: config['localllm.endpoint'],
    embedModel: config['localllm.embedModel'],
    vectors: {
      holds: (name) => (name === null ? embeddings.countAll() > 0 : embeddings.hasOf(name)),
      read: (name) => settings.get(name),
      write: (name, value) => settings.set(name, value),
    },
    report,
    now: () => performance.now(),
  });
}
