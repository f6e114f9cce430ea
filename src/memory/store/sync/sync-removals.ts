import type { Connection } from '../connection.ts';
import { flag, textOrNull } from '../row.ts';
import { ForgottenTable } from '../tables/forgotten.ts';
import { SettingTable } from '../tables/settings.ts';
import { isAhead } from './sync-authors.ts';
import type { SyncRemoved } from './sync-outgoing.ts';

/** Who sent a segment. */
export interface SyncOrigin {
  readonly device: string;
  readonly author: string;
  /**
   * `own`: the author of this memory, proved by the passphrase. `trusted`: named by `sync.trust`. `claimed`: says to be the author of this
   * memory, without a proof. `member`: another author who has the passphrase. `stranger`: anyone who can write to the remote.
   */
  readonly standing: 'own' | 'trusted' | 'claimed' | 'member' | 'stranger';
}

/** All of `work` in one transaction that leaves nothing to send. */
export function quietly(connection: Connection, work: () => void): void {
  connection.transaction(() => withoutJournal(connection, work));
}

/** The same within a transaction. */
export function withoutJournal(connection: Connection, work: () => void): void {
  const settings = new SettingTable({ connection });
  const journal = settings.get('sync.journal');
  settings.set('sync.journal', null);
  work();
  settings.set('sync.journal', journal);
}

export type Removal = SyncRemoved & { readonly how: 'erase' | 'prune' };

/** What of these removals is to be done here, and how; the others are kept in mind for events of that author that come later. */
export function removalsToDo(
  connection: Connection,
  { author, standing }: SyncOrigin,
  removed: readonly SyncRemoved[],
): Removal[] {
  const todo: Removal[] = [];
  quietly(connection, () => {
    for (const given of removed) {
      // No restore file would be later.
      const one = isAhead(Date.parse(given.ts)) ? { ...given, ts: new Date().toISOString() } : given;
      const event = connection.get('SELECT author, is_foreign FROM events WHERE id = ?', one.id);
      const isTheirs =
        event !== undefined && flag(event, 'is_foreign') && textOrNull(event, 'author') === author;
      const mayErase = standing === 'own' || standing === 'trusted' || isTheirs;
      if (mayErase) todo.push({ ...one, how: one.pruned ? 'prune' : 'erase' });
      else if (standing !== 'stranger') todo.push({ ...one, how: 'prune' });
      else
        connection.run(
          'INSERT OR IGNORE INTO sync_forgotten (event_id, author) VALUES (?, ?)',
          one.id,
          author,
        );
    }
  });
  return todo;
}

/** Removes events that a restore file has. */
export function dropEvents(connection: Connection, removals: readonly Removal[]): void {
  const ids = JSON.stringify(removals.map(({ id }) => id));
  quietly(connection, () => {
    const forgotten = new ForgottenTable({ connection });
    for (const { id, ts } of removals) forgotten.add([id], ts, true);
    connection.run('DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))', ids);
  });
}
