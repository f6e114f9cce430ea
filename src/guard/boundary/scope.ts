import fs from 'node:fs';
import { scopeBytesMax } from '../../core/limits.ts';
import { errorCode, jsonErrorOf, messageOf } from '../../core/platform/index.ts';

/** What `scope.json` says; `off` when there is none, `invalid` when nothing is enforced because of `error`. */
export type Scope =
  | { readonly state: 'off' }
  | { readonly state: 'on'; readonly allow?: readonly string[]; readonly deny?: readonly string[] }
  | { readonly state: 'invalid'; readonly error: string };

/** Reads a scope file. Never throws and never waits: what is no plain file is invalid. */
export function readScope(file: string): Scope {
  try {
    const text = readPlainFile(file, scopeBytesMax);
    return text === null ? { state: 'off' } : parseScope(text);
  } catch (error) {
    return { state: 'invalid', error: `it cannot be read: ${messageOf(error)}` };
  }
}

/** Strict JSON: an object with lists of globs at `allow` and `deny`, and nothing that nobody would look at. */
export function parseScope(text: string): Scope {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalid(`it is not JSON (comments and trailing commas are not): ${jsonErrorOf(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return invalid('it is not an object');
  const unknown = Object.keys(value).find((key) => key !== 'allow' && key !== 'deny' && key !== '$schema');
  if (unknown !== undefined)
    return invalid(`"${unknown.slice(0, 40)}" is not a key; it has "allow" and "deny"`);
  const allow = 'allow' in value ? globs(value.allow) : undefined;
  const deny = 'deny' in value ? globs(value.deny) : undefined;
  if (allow === null || deny === null) {
    return invalid(
      `"${allow === null ? 'allow' : 'deny'}" is not a list of globs, each a text that is not empty`,
    );
  }
  return { state: 'on', ...(allow === undefined ? {} : { allow }), ...(deny === undefined ? {} : { deny }) };
}

function invalid(error: string): Scope {
  return { state: 'invalid', error };
}

function globs(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((one): one is string => typeof one === 'string' && one !== '');
  return texts.length === value.length ? texts : null;
}

/**
 * The text of a plain file, or null when nothing is there. A pipe is never waited for, and nothing endless is read.
 * @throws what the system says, or an Error for what is no plain file or too long
 */
export function readPlainFile(file: string, bytesMax: number): string | null {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is not a file');
    if (stat.size > bytesMax) throw new Error(`it has more than ${bytesMax} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(fd));
  } finally {
    fs.closeSync(fd);
  }
}
