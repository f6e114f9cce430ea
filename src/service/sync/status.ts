import type { Config } from '#core/config';
import { Failure } from '#core/platform';
import type { Environment, Workspace } from '#core/workspace';
import { readDatabase } from '#memory/store';
import { mustHoldNoCredential } from './address.ts';
import { Clone } from './clone.ts';
import { Git } from './git.ts';
import { authorOf, branchOf, cloneFolder, readRecord } from './record.ts';
import { readPassphrase, readSecretFile } from './secret-file.ts';

export type SyncStatus = Readonly<Awaited<ReturnType<typeof syncStatus>>>;

/** Reads files alone: no daemon, no connection. */
export async function syncStatus(workspace: Workspace, config: Config, env: Environment) {
  const record = readRecord(workspace);
  const encrypted: 'none' | 'recipients' | 'passphrase' = !config['sync.encrypt']
    ? 'none'
    : config['sync.recipients'].length > 0
      ? 'recipients'
      : 'passphrase';
  return {
    on: record !== null,
    remote: record?.remote ?? null,
    branch: record === null ? null : branchOf(record),
    device: record?.devices.at(-1) ?? null,
    author: await authorOf(workspace, config['sync.author'], env),
    encrypted,
    auto: config['sync.auto'],
    share: config['sync.share'],
    /** Changes that are not in a segment yet; null before the first sync. */
    waiting: waitingIn(workspace),
    syncedAt: record?.syncedAt ?? null,
    pushedAt: record?.pushedAt ?? null,
    /** Why the last sync failed; null if it did not. */
    failure: record?.failure ?? null,
    /** Segments of a newer memd that the last pull left out. */
    newer: record?.newer ?? 0,
  };
}

/** Why the next sync would fail, or do everything again; null if nothing is known. Opens no connection. */
export async function syncObstacle(
  workspace: Workspace,
  config: Config,
  env: Environment,
): Promise<Failure | null> {
  const record = readRecord(workspace);
  if (record === null) return null;
  const { passphraseFile, identityFile, pushedAt, remote } = record;
  const { 'sync.encrypt': isEncrypted, 'sync.recipients': recipients } = config;
  try {
    mustHoldNoCredential(record);
    if (isEncrypted && recipients.length === 0 && passphraseFile !== null) readPassphrase(passphraseFile);
    if (isEncrypted && recipients.length > 0 && identityFile !== null)
      readSecretFile(identityFile, 'identity file');
    const folder = cloneFolder(workspace);
    if (pushedAt === null || (await new Clone(new Git(folder, env), remote, branchOf(record)).own()) !== null)
      return null;
    return new Failure('sync_git', `${folder} lacks what this device has sent`, {
      safe: 'your memory is untouched',
      repair: `run \`rm -rf ${folder}\` and \`memd sync\`, which makes that copy again`,
    });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function waitingIn({ database }: Workspace): number | null {
  return readDatabase(database, ({ settings, connection }) =>
    settings.get('sync.journal') === null
      ? null
      : Number(connection.get('SELECT count(*) AS n FROM sync_journal')?.n ?? 0),
  );
}
