import * as v from 'valibot';
import { parseJson } from '../../core/event/index.ts';
import type { KeptSettings } from './absences.ts';

/**
 * The version of a model's vectors. It goes up when the runtime has another build under the model's name, which its digest tells.
 * The first build that is seen is version 1, as everything was before digests were looked at.
 */
export function versionOfBuild(settings: KeptSettings, name: string, digest: string | null): number {
  const builds = read(settings);
  const known = builds[name];
  if (digest === null || known?.digest === digest) return known?.version ?? 1;
  const version = known === undefined ? 1 : known.version + 1;
  settings.write(settingName, JSON.stringify({ ...builds, [name]: { digest, version } }));
  return version;
}

function read(settings: KeptSettings): Builds {
  const parsed = v.safeParse(schema, parseJson(settings.read(settingName) ?? '{}'));
  // Something else put there by hand counts as nothing.
  return parsed.success ? parsed.output : {};
}

const settingName = 'embedders.builds';
const schema = v.record(
  v.string(),
  v.object({ digest: v.string(), version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) }),
);
type Builds = v.InferOutput<typeof schema>;
