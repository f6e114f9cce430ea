import * as v from 'valibot';
import { type KeptSettings, keptRecord } from './kept-settings.ts';

/** What a model's vectors are made with. */
export interface Build {
  readonly name: string;
  /** Of the runtime; null when it gives none. */
  readonly digest: string | null;
  /** What is embedded of documents: their prefix, and whether passages. */
  readonly texts: string;
}

/**
 * The version of a model's vectors. It increases when the runtime has another build under the model's name, with another digest, and
 * when something else of documents is embedded. Version 1 has all vectors from before digests and texts were kept.
 */
export function versionOfBuild(settings: KeptSettings, { name, digest, texts }: Build): number {
  const kept = keptRecord(settings, 'embedders.builds', build);
  const builds = kept.read();
  const known = builds[name] ?? { digest: '', version: 1 };
  const isSame = (known.texts ?? firstTexts(name)) === texts;
  const now = digest ?? known.digest;
  if (isSame && now === known.digest) return known.version;
  const version = isSame && known.digest === '' ? known.version : known.version + 1;
  kept.write({ ...builds, [name]: { digest: now, texts, version } });
  return version;
}

/** Summaries with the only prefix that was known. */
function firstTexts(name: string): string {
  return name.startsWith('ollama:nomic-embed-text') ? 'search_document: ' : '';
}

const build = v.object({
  digest: v.string(),
  texts: v.optional(v.string()),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
});
