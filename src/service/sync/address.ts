import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '#core/platform';
import { redactText } from '#redact/engine';

const useOne = 'use a path, an ssh address such as `git@host:me/memory.git`, or an https address';
/** What is kept and shown of an address that holds a credential. */
const hidden = '<an address with a credential>';

/**
 * A path becomes absolute: `memd sync` may run in another folder. No refusal repeats the address.
 * @throws Failure `sync_address`
 */
export function addressOf(given: string, cwd: string): string {
  const remote = given.trim();
  if (remote === '' || remote.startsWith('-') || /[\u0000-\u001f\u007f]/.test(remote))
    throw wrong('this is not an address', useOne);
  if (/^file:/i.test(remote)) return pathIn(remote);
  if (fs.existsSync(path.resolve(cwd, remote))) return path.resolve(cwd, remote);
  if (/^[./~]/.test(remote) || !/[:@\uff20]/.test(remote)) {
    mustHoldNoCredential({ remote: remote.startsWith('/') ? remote : `/${remote}` });
    return path.resolve(cwd, remote);
  }
  mustHoldNoCredential({ remote });
  return remote;
}

/**
 * Whether an address may hold a password or a token: it has none only if each part of it has a plain form. Over http that is no user at all,
 * since a token stands in its place too.
 */
export function holdsCredential(remote: string): boolean {
  if (remote.startsWith('/') && fs.existsSync(remote)) return false;
  const address = decoded(remote);
  if (redactText(address).text !== address) return true;
  if (remote.startsWith('/')) return mayBeAddress.test(address);
  const [, scheme = '', user = '', place = ''] = url.exec(address) ?? scp.exec(address) ?? [];
  if (place === '' || scheme.toLowerCase() === 'file' || notHosts.test(address)) return true;
  return user !== '' && (/^http/i.test(scheme) || looksRandom(user));
}

const part = '[\\p{L}\\p{N}._~%+,/ -]*';
const host = '(?:[\\w.-]+|\\[[\\da-f:.]+\\])';
/** `ssh://git@host:22/me/memory.git` */
const url = new RegExp(`^(https?|ssh|git)://(?:([\\w.-]+)@)?(${host}(?::\\d{1,5})?(?:/${part})?)$`, 'iu');
/** `git@host:me/memory.git`; a folder may have an `@` in its name. */
const scp = new RegExp(`^()(?:([\\w.-]+)@)?(${host}:(?!//)${part}(?:/[\\p{L}\\p{N}._~%+,/ @-]*)?)$`, 'iu');
const notHosts = /^(?:https?|ssh|git|file|ftps?|rsync):(?!\/\/\w|\/\/\[)/i;
/** In a path that is not there. */
const mayBeAddress = /^\/\/|:.*[@\uff20]|[@\uff20].*:|[\w-]=[^/]/;

/** A user of git or ssh is a name. */
function looksRandom(user: string): boolean {
  return (
    user.length > 32 || (user.length >= 10 && /\d/.test(user) && /[A-Z]/.test(user) && /[a-z]/.test(user))
  );
}

/** An address as it may be shown and kept. */
export function withoutCredential(remote: string): string {
  return holdsCredential(remote) ? hidden : remote;
}

/** @throws Failure `sync_address` */
export function mustHoldNoCredential({ remote }: { readonly remote: string }): void {
  if (holdsCredential(remote))
    throw wrong(
      `the address of the remote is not a plain one, or holds what may be a password or token; ${useOne}`,
      "run `memd sync init ADDRESS` without it, and let git's credential helper keep it (`git help credentials`), or use ssh with a key; renew it if it was shown",
    );
}

function decoded(text: string): string {
  const once = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return once === text ? text : decoded(once);
}

/** The path of a remote on this machine; null for another. @throws Failure `sync_address` */
export function localPath(remote: string): string | null {
  if (path.isAbsolute(remote)) return remote;
  return /^file:/i.test(remote) ? pathIn(remote) : null;
}

function pathIn(url: string): string {
  try {
    return fileURLToPath(new URL(url));
  } catch {
    throw wrong('memd does not use a file address of another machine', 'use a path');
  }
}

/** Why the remote did not take what this device has. */
export function notSent(
  what: string,
  repair: string,
  code: 'sync_remote' | 'sync_timeout' = 'sync_remote',
): Failure {
  return new Failure(code, what, {
    safe: 'your memory is complete here, and what was not sent waits',
    repair,
  });
}

export function wrong(what: string, repair: string): Failure {
  return new Failure('sync_address', what, { safe: 'nothing was changed', repair });
}
