import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { Failure, gitOutput, readIfThere, writeWhole } from '#core/platform';
import { authorName } from '#core/text';
import { type Environment, identityIn, type Workspace } from '#core/workspace';
import { redactText } from '#redact/engine';
import { holdsCredential, localPath, withoutCredential } from './address.ts';

const recordSchema = v.object({
  remote: v.string(),
  /** The last part of the branch's name. */
  project: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]{0,79}$/)),
  /** The last one is this device's; it left the former ones behind, since another device has the same. */
  devices: v.pipe(v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))), v.minLength(1)),
  passphraseFile: v.optional(v.nullable(v.string()), null),
  identityFile: v.optional(v.nullable(v.string()), null),
  /** How the own segments are encrypted; null before the first. */
  mode: v.optional(v.nullable(v.picklist(['passphrase', 'recipients', 'none'])), null),
  /** What the own segments hold. */
  share: v.optional(v.picklist(['all', 'promoted']), 'all'),
  /** Which removals the own segments were last compared with. */
  removals: v.optional(v.string(), ''),
  /** Removed content may still be in the clone. */
  untidy: v.optional(v.boolean(), false),
  syncedAt: v.optional(v.nullable(v.string()), null),
  pushedAt: v.optional(v.nullable(v.string()), null),
  /** Why the last sync failed; null if it did not. */
  failure: v.optional(v.nullable(v.object({ at: v.string(), what: v.string() })), null),
  /** Segments that the last pull could not read, since a newer memd wrote them. */
  newer: v.optional(v.number(), 0),
});

/** What a workspace keeps about its sync; no key. */
export type SyncRecord = v.InferOutput<typeof recordSchema>;

/** A record with the values that a new one has where none is given. */
export function recordOf(fields: v.InferInput<typeof recordSchema>): SyncRecord {
  return v.parse(recordSchema, fields);
}

/** The folder in the memory's folder that holds everything of the sync. */
export function syncFolder({ folder }: Pick<Workspace, 'folder'>): string {
  return path.join(folder, 'sync');
}

export function cloneFolder(workspace: Workspace): string {
  return path.join(syncFolder(workspace), 'clone.git');
}

export function branchOf({ project }: Pick<SyncRecord, 'project'>): string {
  return `refs/heads/memd/${project}`;
}

/**
 * Null before `memd sync init`. An earlier version kept passwords and tokens in the address: they are left out, also of what failed.
 * @throws Failure `sync_record`
 */
export function readRecord(workspace: Pick<Workspace, 'folder'>): SyncRecord | null {
  const text = readIfThere(fileIn(workspace));
  if (text === null) return null;
  try {
    const kept = v.parse(recordSchema, JSON.parse(text));
    // As an earlier version kept the path of a remote.
    const remote = /^file:\/\/\//i.test(kept.remote) ? (localPath(kept.remote) ?? kept.remote) : kept.remote;
    const record = { ...kept, remote };
    if (!holdsCredential(record.remote)) return record;
    return { ...record, remote: withoutCredential(record.remote), failure: null };
  } catch (error) {
    throw new Failure('sync_record', `${fileIn(workspace)} is damaged`, {
      safe: 'your memory is untouched',
      repair: 'run `memd sync init REMOTE` again',
      cause: error,
    });
  }
}

export function writeRecord(workspace: Pick<Workspace, 'folder'>, record: SyncRecord): void {
  fs.mkdirSync(syncFolder(workspace), { recursive: true, mode: 0o700 });
  writeWhole(fileIn(workspace), JSON.stringify(record, null, 2));
}

/** Without the paths of secrets, which only a user who syncs again needs. */
export function forgetSecretPaths(workspace: Pick<Workspace, 'folder'>): void {
  const record = readRecord(workspace);
  if (record !== null) writeRecord(workspace, { ...record, passphraseFile: null, identityFile: null });
}

export function newDevice(): string {
  return randomBytes(16).toString('hex');
}

/** A name for the project that is the same on every device, and whether git's history gave it. */
export async function projectOf(
  workspace: Workspace,
): Promise<{ readonly project: string; readonly byHistory: boolean }> {
  const { roots } = await identityIn(workspace.root);
  const hash = createHash('sha256')
    .update(`memd project\n${roots.join('\n')}`)
    .digest('hex')
    .slice(0, 24);
  if (roots.length > 0) return { project: hash, byHistory: true };
  return { project: `name-${workspace.key.slice(0, -13)}`, byHistory: false };
}

/** `sync.author`, else git's user.email, else user and machine. */
export async function authorOf(workspace: Workspace, configured: string, env: Environment): Promise<string> {
  const os = await import('node:os');
  return (await namedAuthor(workspace, configured, env)) ?? `${os.userInfo().username}@${os.hostname()}`;
}

/** Undefined if the user has given no name. */
export async function namedAuthor(
  workspace: Workspace,
  configured: string,
  env: Environment,
): Promise<string | undefined> {
  const name = configured.trim() || (await userEmail(workspace.root, env));
  return name === '' ? undefined : redactText(authorName(name)).text;
}

/** With the user's own settings, which `gitOutput` does not read. */
async function userEmail(root: string, env: Environment): Promise<string> {
  const local = await gitOutput(root, ['config', '--get', 'user.email'], emailTimeoutMs);
  if (local?.trim()) return local.trim();
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    const { PATH = '', HOME = '', XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = env;
    const kept = Object.entries({ PATH, HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL }).filter(
      ([, value]) => value,
    );
    const options = { cwd: '/', env: Object.fromEntries(kept), timeout: emailTimeoutMs };
    execFile('git', ['config', '--global', '--get', 'user.email'], options, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ''),
    );
  });
}

const emailTimeoutMs = 5_000;

function fileIn(workspace: Pick<Workspace, 'folder'>): string {
  return path.join(syncFolder(workspace), 'sync.json');
}
