import * as v from 'valibot';
import { type KeptSettings, keptRecord } from './kept-settings.ts';

/** What a model's vectors are made with. */
export interface Build {
  readonly name: string;
  /** Of the runtime; null when it gives none. */
  readonly digest: string | null;
  /** The prefix of documents. */
  readonly prefix: string;
}

/**
 * The version of a model's vectors. It increases when the runtime has another build under the model's name, with another digest, and
 * when documents get another prefix. The first build is version 1, like all vectors from before digests and prefixes were kept.
 */
export function versionOfBuild(settings: KeptSettings, { name, digest, prefix }: Build): number {
  const kept = keptRecord(settings, 'embedders.builds', build);
  const builds = kept.read();
  const known = builds[name] ?? { digest: '', version: 1 };
  const isSame = (known.prefix ?? firstPrefix(name)) === prefix;
  const now = digest ?? known.digest;
  if (isSame && now === known.digest) return known.version;
  const version = isSame && known.digest === '' ? known.version : known.version + 1;
  kept.write({ ...builds, [name]: { digest: now, prefix, version } });
  return version;
}

/** What documents got before prefixes were kept. */
function firstPrefix(name: string): string {
  return name.startsWith('ollama:nomic-embed-text') ? 'search_document: ' : '';
}

const build = v.object({
  digest: v.string(),
  prefix: v.optional(v.string()),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
});
