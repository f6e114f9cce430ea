import { EmbedderCascade } from '#memory/embed';
import type { ConsolidatorOptions } from './options.ts';

type Parts = Pick<ConsolidatorOptions, 'store' | 'config' | 'report'>;

/** The embedders of the settings, with the vectors of the store. */
export function openEmbedders({ store, config, report }: Parts): EmbedderCascade {
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
