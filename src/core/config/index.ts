/**
 * The user's settings: environment over `config.json` over defaults, checked once.
 * Promises: a setting in use has the right type; an unknown one is named with its nearest neighbour; an API
 * key in the file stops the start. Never writes a file but for `initConfig`.
 */
export { captureSettings } from './capture-settings.ts';
export { hostedKey } from './hosted-key.ts';
export { initConfig } from './init.ts';
export type { Config } from './keys.ts';
export { defaultConfig, type Loaded, loadConfig } from './load.ts';
export { nearest } from './nearest.ts';
export { shadowedSettings } from './shadowed.ts';
