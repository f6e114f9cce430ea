import { shadowedSettings } from '../../core/config/index.ts';
import { Failure } from '../../core/platform/index.ts';
import type { Check, Found, Looked } from './check.ts';

/** Variables that take the place of what the user wrote into `config.json`. */
export const environment: Check = {
  code: 'environment',
  severity: 'note',
  sentence: 'a variable of this shell overrules a setting of config.json',
  repair: 'unset it for the setting to count, then run: memd restart',
  look,
  fix: null,
};

async function look({ workspace, env }: Looked): Promise<Found[]> {
  try {
    return shadowedSettings(workspace.config, env).map(({ key, variable }) => ({
      detail: `${variable}, not ${key}`,
      repair: `run: unset ${variable}, then: memd restart`,
    }));
  } catch (error) {
    // Settings that cannot be used are the check `config`'s to tell.
    if (error instanceof Failure) return [];
    throw error;
  }
}
