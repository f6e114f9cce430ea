import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { redactText } from '../../capture/redact/index.ts';
import { Failure } from '../../core/platform/index.ts';

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
  const scheme = schemeOf(remote);
  if (scheme === 'file') return pathIn(remote);
  if (scheme !== null && !/^(?:https?|ssh|git)$/.test(scheme))
    throw wrong(`memd does not use ${scheme}`, useOne);
  if (/^[a-z0-9+.-]+::/i.test(remote)) throw wrong("memd uses no helper programs of git's", useOne);
  const isPath = /^[./~]/.test(remote) || fs.existsSync(path.resolve(cwd, remote)) || !remote.includes(':');
  if (scheme === null && isPath) return path.resolve(cwd, remote);
  mustHoldNoCredential({ remote });
  return remote;
}

/**
 * Whether an address of another machine holds a password, a token, or what may be one. Over http that is every user: a token stands in its
 * place too. Percent signs do not hide it.
 */
export function holdsCredential(remote: string): boolean {
  if (localPath(remote) !== null) return false;
  const address = decoded(remote);
  if (remote === hidden || redactText(address).text !== address) return true;
  const scheme = schemeOf(address);
  if (/[?#]/.test(address) || named.test(address)) return true;
  const authority = scheme === null ? address : (/^[^:]*:\/\/(.*)$/s.exec(address)?.[1] ?? '');
  const at = authority.lastIndexOf('@');
  if (at < 0) return false;
  const [before, behind] = [authority.slice(0, at), authority.slice(at + 1)];
  if (scheme === null)
    // `host:folder/a@b` is a path, `user:password@host:folder` is not.
    return before.includes(':') && (!before.includes('/') || /:.*:/s.test(before) || behind.includes(':'));
  return scheme !== 'ssh' || before.split('/')[0]?.includes(':') === true;
}

/** An address as it may be shown and kept. */
export function withoutCredential(remote: string): string {
  return holdsCredential(remote) ? hidden : remote;
}

/** @throws Failure `sync_address` */
export function mustHoldNoCredential({ remote }: { readonly remote: string }): void {
  if (holdsCredential(remote))
    throw wrong(
      'the address of the remote holds a password or token, or a user or query that may be one',
      "run `memd sync init ADDRESS` without it, and let git's credential helper keep it (`git help credentials`), or use ssh with a key; renew it if it was shown",
    );
}

const named = /(?:token|passw(?:or)?d|pwd|secret|api[_-]?key|auth|credentials?|signature|sig)=/i;

function schemeOf(address: string): string | null {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase() ?? null;
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
  return schemeOf(remote) === 'file' ? pathIn(remote) : null;
}

function pathIn(url: string): string {
  try {
    return fileURLToPath(new URL(url));
  } catch {
    throw wrong('memd does not use a file address of another machine', 'use a path');
  }
}

export function wrong(what: string, repair: string): Failure {
  return new Failure('sync_address', what, { safe: 'nothing was changed', repair });
}
