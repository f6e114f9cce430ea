import fs from 'node:fs';
import { scopeBytesMax } from '#core/limits';
import { jsonErrorOf, messageOf, unlessCode, withDescriptor } from '#core/platform';

/** The content of a `scope.json`: `off` without a file, `invalid` when `error` makes it ineffective. */
export type Scope =
  | { readonly state: 'off' }
  | { readonly state: 'on'; readonly allow?: readonly string[]; readonly deny?: readonly string[] }
  | { readonly state: 'invalid'; readonly error: string };

/** Reads a scope file. Never throws and never waits. */
export function readScope(file: string): Scope {
  try {
    const text = readPlainFile(file, scopeBytesMax);
    return text === null ? { state: 'off' } : parseScope(text);
  } catch (error) {
    return { state: 'invalid', error: `it cannot be read: ${messageOf(error)}` };
  }
}

/** Strict JSON: an object with lists of globs at `allow` and `deny`, and no unknown keys. */
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
  if (allow === null || deny === null)
    return invalid(
      `"${allow === null ? 'allow' : 'deny'}" is not a list of globs, each a text that is not empty`,
    );
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
 * The text of a regular file, or null without a file. It never waits for a pipe, nor reads an endless device.
 * @throws the system's error, or an Error for what is not a regular file or too long
 */
export function readPlainFile(file: string, bytesMax: number): string | null {
  const open = (): number => fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const fd = unlessCode(['ENOENT', 'ENOTDIR'], open, null);
  if (fd === null) return null;
  return withDescriptor(fd, () => {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is not a file');
    if (stat.size > bytesMax) throw new Error(`it has more than ${bytesMax} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(fd));
  });
}
