import { hostedKey, loadConfig } from '../../core/config/index.ts';
import { Failure } from '../../core/platform/index.ts';
import { conditions } from '../../service/info/index.ts';
import type { Check, Found, Looked } from './check.ts';

/** Whether the settings can be used: of the right form and type, none unknown, no key among them. */
export const config: Check = {
  ...conditions.config,
  look,
  fix: null,
  keepsStart: true,
};

async function look({ workspace, env }: Looked): Promise<Found[]> {
  try {
    const { config: settings, warnings } = loadConfig(workspace.config, env);
    hostedKey(env, settings);
    return warnings.map((detail) => ({ detail }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [
      {
        severity: 'error',
        sentence: 'no daemon can start with these settings',
        detail: error.what,
        repair: `${error.repair ?? 'correct them'}; then run: memd restart`,
      },
    ];
  }
}
