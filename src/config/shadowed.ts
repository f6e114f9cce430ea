import type { KeyName } from './keys.ts';
import { givenIn, loadConfig } from './load.ts';

/** A setting of `config.json` that counts for nothing, since a variable of the environment says otherwise. */
export interface Shadowed {
  readonly key: KeyName;
  readonly variable: string;
}

const variables: readonly Shadowed[] = [
  { variable: 'MEMD_DRAIN_BACKEND', key: 'drain.backend' },
  { variable: 'MEMD_CURATE_MODEL', key: 'curate.model' },
  { variable: 'LOCALLLM_HOST', key: 'localllm.endpoint' },
  { variable: 'MEMD_HTTP_PORT', key: 'http.port' },
];

/** What of the file the environment overrules with another value. @throws Failure `bad_config` */
export function shadowedSettings(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly Shadowed[] {
  const given = givenIn(file);
  const { config: own } = loadConfig(file, {});
  const { config: inForce } = loadConfig(file, env);
  return variables.filter(({ key, variable }) => env[variable] && key in given && own[key] !== inForce[key]);
}
