import type { Config } from '../../core/config/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import { openStoreReadOnly } from '../../memory/store/index.ts';
import { authorOf, branchOf, readRecord } from './record.ts';

export interface SyncStatus {
  readonly on: boolean;
  readonly remote: string | null;
  readonly branch: string | null;
  readonly device: string | null;
  readonly author: string;
  readonly encrypted: 'passphrase' | 'recipients' | 'none';
  readonly auto: boolean;
  readonly share: string;
  /** Changes that are not in a segment yet; null before the first sync. */
  readonly waiting: number | null;
  readonly syncedAt: string | null;
}

/** Reads files alone: no daemon, no connection. */
export async function syncStatus(
  workspace: Workspace,
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SyncStatus> {
  const record = readRecord(workspace);
  const encrypted = !config['sync.encrypt']
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
    waiting: waitingIn(workspace),
    syncedAt: record?.syncedAt ?? null,
  };
}

function waitingIn({ database }: Workspace): number | null {
  const store = openStoreReadOnly(database);
  try {
    if (store === null || !store.connection.hasTable('sync_journal')) return null;
    if (store.settings.get('sync.journal') === null) return null;
    return Number(store.connection.get('SELECT count(*) AS n FROM sync_journal')?.n ?? 0);
  } finally {
    store?.close();
  }
}
