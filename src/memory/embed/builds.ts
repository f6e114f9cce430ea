import * as v from 'valibot';
import { type KeptSettings, keptRecord } from './kept-settings.ts';

/**
 * The version of a model's vectors. It increases when the runtime has another build under the model's name, with another digest.
 * The first build is version 1, like all vectors from before digests were read.
 */
export function versionOfBuild(settings: KeptSettings, name: string, digest: string | null): number {
  const kept = keptRecord(settings, 'embedders.builds', build);
  const builds = kept.read();
  const known = builds[name];
  if (digest === null || known?.digest === digest) return known?.version ?? 1;
  const version = known === undefined ? 1 : known.version + 1;
  kept.write({ ...builds, [name]: { digest, version } });
  return version;
}

const build = v.object({ digest: v.string(), version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });
