import { givenIn, loadConfig, type SettingVariable, settingVariables } from './load.ts';

/** The file's settings that the environment overrides with another value. @throws Failure `bad_config` */
export function shadowedSettings(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly SettingVariable[] {
  const given = givenIn(file);
  const { config: own } = loadConfig(file, {});
  const { config: inForce } = loadConfig(file, env);
  return settingVariables.filter(
    ({ key, variable }) => env[variable] && key in given && own[key] !== inForce[key],
  );
}
