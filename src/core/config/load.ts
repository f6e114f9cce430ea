import { Failure, jsonErrorOf, messageOf, readIfThere } from '#core/platform';
import { type Config, isKey, type KeyName, keys, normaliseEndpoint } from './keys.ts';
import { nearest } from './nearest.ts';

/** The settings in force, and warnings about the file. */
export interface Loaded {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/** A variable of the environment that overrules a setting of the file. */
export interface SettingVariable {
  readonly key: KeyName;
  readonly variable: string;
}

export const settingVariables: readonly SettingVariable[] = [
  { variable: 'MEMD_DRAIN_BACKEND', key: 'drain.backend' },
  { variable: 'MEMD_CURATE_MODEL', key: 'curate.model' },
  { variable: 'LOCALLLM_HOST', key: 'localllm.endpoint' },
  { variable: 'MEMD_HTTP_PORT', key: 'http.port' },
];

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Settings from the environment, over `config.json`, over defaults. Values may be nested or have dotted names.
 * @throws Failure `bad_config` naming file, key and repair: no valid JSON, a wrong type, or an API key in it;
 * `unknown_backend` for an unknown `drain.backend`.
 */
export function loadConfig(file: string, env: Env): Loaded {
  const given = givenIn(file);
  const warnings: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    refuseSecret(file, name, value);
    const removed = removedSetting(name, value);
    if (removed !== null) {
      warnings.push(`${file}: ${removed.warning}`);
      if (isKey(name)) values[name] = removed.value;
    } else if (isKey(name)) values[name] = checked(file, name, value);
    else warnings.push(unknownKey(file, name));
  }
  Object.assign(values, fromEnvironment(env));
  return { config: complete(values), warnings };
}

/** The file's settings by their dotted names, unchecked; empty without a file. @throws Failure `bad_config` */
export function givenIn(file: string): Readonly<Record<string, unknown>> {
  const text = textOf(file);
  return text === null ? {} : flatten(parse(file, text), '');
}

/** @throws Failure `bad_config` when the file exists and cannot be read */
function textOf(file: string): string | null {
  try {
    return readIfThere(file);
  } catch (error) {
    const repair = 'make it a file that you can read, or move it away to use the defaults';
    throw bad(`${file} cannot be read: ${messageOf(error)}`, repair, error);
  }
}

/** The defaults alone. */
export function defaultConfig(): Config {
  return complete({});
}

function complete(values: Readonly<Record<string, unknown>>): Config {
  const entries = Object.entries(keys).map(([name, key]) => [name, values[name] ?? key.fallback]);
  // Each value has passed its key's check.
  return Object.fromEntries(entries) as Config;
}

function parse(file: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const position = Number(/position (\d+)/.exec(messageOf(error))?.[1] ?? Number.NaN);
    const line = Number.isNaN(position) ? '' : ` in line ${text.slice(0, position).split('\n').length}`;
    const repair = 'repair the file (no comments, no trailing commas) or remove it to use the defaults';
    throw bad(`${file} is not valid JSON${line}: ${jsonErrorOf(error)}`, repair, error);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  const repair = 'start it with { and end it with }, or remove it to use the defaults';
  throw bad(`${file} does not hold a JSON object`, repair);
}

function bad(what: string, repair: string, cause?: unknown, code = 'bad_config'): Failure {
  return new Failure(code, what, { safe: 'your memory is untouched', repair, cause });
}

function flatten(value: Record<string, unknown>, prefix: string): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const full = prefix + name;
    if (typeof item === 'object' && item !== null && !Array.isArray(item) && !isKey(full)) {
      Object.assign(flat, flatten({ ...item }, `${full}.`));
    } else {
      flat[full] = item;
    }
  }
  return flat;
}

function checked(file: string, name: KeyName, value: unknown): unknown {
  const mustBe = keys[name].mustBe(value);
  if (mustBe !== null) {
    const code = name === 'drain.backend' ? 'unknown_backend' : 'bad_config';
    const repair = `change it, or remove it to use ${JSON.stringify(keys[name].fallback)}`;
    throw bad(`${file}: ${name} must be ${mustBe}, not ${shown(value)}`, repair, undefined, code);
  }
  return name.endsWith('.endpoint') ? normaliseEndpoint(String(value)) : value;
}

/** A wrong value as a message may show it: an address may contain a password, and a list anything. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value.includes('@') ? 'this text' : JSON.stringify(value);
  return Array.isArray(value) ? 'a list' : JSON.stringify(value);
}

/** Backups and pastes of a file would contain the key; it belongs in the environment. */
function refuseSecret(file: string, name: string, value: unknown): void {
  const namedLikeOne =
    !isKey(name) &&
    /(api[-_.]?key|secret|password|passwd|credential|auth|(^|[._-])(key|token)s?$)/i.test(name);
  const isNameOne = looksLikeKey(name);
  const isNamedSo = namedLikeOne && typeof value === 'string' && value !== '';
  // A long path, as in the removed `embed.modelPath`, has the letters and digits of a random text.
  // Public keys.
  if (name === 'sync.recipients') return;
  const isPath =
    (name === 'embed.modelPath' || name === 'sync.remote') &&
    typeof value === 'string' &&
    /[/\\]/.test(value);
  if (!isNameOne && !isNamedSo && !(isPath ? hasKnownKey(value) : looksLikeKey(value))) return;
  const where = isNameOne ? 'the name of a setting' : name;
  throw new Failure('bad_config', `${file}: ${where} looks like an API key, and keys are not kept in files`, {
    safe: 'it was not used, and nothing was started',
    repair: 'remove it, and set the environment variable HOSTEDLLM_API_KEY instead',
  });
}

function looksLikeKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(looksLikeKey);
  if (typeof value !== 'string') return false;
  const isRandom = /^[A-Za-z0-9+/=_-]{32,}$/.test(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value);
  return hasKnownKey(value) || isRandom;
}

function hasKnownKey(value: string): boolean {
  const known =
    /\b(sk-|sk_|pk_|rk_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|hf_|eyJ)[A-Za-z0-9_-]{8,}/;
  return known.test(value);
}

/** A setting, or a value of one, of an earlier version: a warning, and `value` is used instead. */
function removedSetting(
  name: string,
  value: unknown,
): { readonly warning: string; readonly value?: unknown } | null {
  if (name === 'embed.modelPath')
    return {
      warning:
        'embed.modelPath is ignored: memd no longer reads a folder of weights. Use the local model runtime (localllm.embedModel)',
    };
  if (name === 'inject.recall' && value === 'all')
    return {
      warning: 'inject.recall: "all" is now "failures": memd no longer comments on edits',
      value: 'failures',
    };
  return null;
}

function unknownKey(file: string, name: string): string {
  const near = nearest(name, Object.keys(keys));
  return `${file}: unknown key "${name}" is ignored${near === null ? '' : `; did you mean "${near}"?`}`;
}

function fromEnvironment(env: Env): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { variable, key } of settingVariables) {
    const text = env[variable];
    if (!text) continue;
    const isNumber = typeof keys[key].fallback === 'number' && /^\d+$/.test(text);
    values[key] = checked(variable, key, isNumber ? Number(text) : text);
  }
  return values;
}
