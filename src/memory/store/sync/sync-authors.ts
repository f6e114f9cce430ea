import { number, rowReader } from '../row.ts';
import { SettingTable } from '../tables/settings.ts';
import { Table } from '../tables/table.ts';

/** Whether this memory refuses what an author recorded. The one with the highest `ms` counts. */
export interface SyncAuthor {
  readonly type: 'author';
  readonly author: string;
  readonly isRefused: boolean;
  readonly ms: number;
}

/** What is stored here of an author. */
export type AuthorCounts = ReturnType<typeof readCounts>;
const readCounts = rowReader({ calls: number, messages: number, digests: number, pins: number });

// Clocks differ by less.
const aheadMsMax = 2 * 86_400_000;
const setting = 'sync.authors';
// Of one transaction, which blocks all other writers.
const removedTogether = 2_000;

/** Whether a time of another device, in milliseconds since 1970, is not to be believed. */
export function isAhead(ms: number): boolean {
  return ms > Date.now() + aheadMsMax;
}

/** The other authors of this memory, and those whom `memd sync forget-author` has named. */
export class SyncAuthors extends Table {
  readonly #settings = new SettingTable(this);

  all(): SyncAuthor[] {
    return JSON.parse(this.#settings.get(setting) ?? '[]') as SyncAuthor[];
  }

  isRefused(author: string): boolean {
    return this.all().some((one) => one.author === author && one.isRefused);
  }

  /** `isOwn`: this device decided, and sends it. Returns whether it changes what counts. */
  set(row: SyncAuthor, isOwn: boolean): boolean {
    return this.connection.transaction(() => {
      const all = this.all();
      const known = all.find(({ author }) => author === row.author);
      if (!isOwn && known !== undefined && known.ms >= row.ms) return false;
      const next = { ...row, ms: Math.max(row.ms, (known?.ms ?? 0) + 1) };
      const kept = all.filter((one) => one !== known);
      this.#settings.set(setting, JSON.stringify([...kept, isOwn ? next : row]));
      if (isOwn)
        this.connection.run(
          `INSERT OR REPLACE INTO sync_journal (kind, key)
           SELECT 'author', ? WHERE EXISTS (SELECT 1 FROM settings WHERE name = 'sync.journal')`,
          row.author,
        );
      // What this author sent was marked as read while it was refused.
      if (!row.isRefused) this.connection.run('DELETE FROM sync_segments');
      return true;
    });
  }

  /** Other authors with anything stored here. */
  names(): string[] {
    const sql = 'SELECT DISTINCT author FROM events WHERE is_foreign <> 0 ORDER BY author';
    return this.connection.texts(sql);
  }

  counts(author: string): AuthorCounts {
    const theirs = 'is_foreign <> 0 AND author = ?1';
    const sql = `SELECT (SELECT count(*) FROM events WHERE ${theirs} AND kind = 'call') AS calls,
      (SELECT count(*) FROM events WHERE ${theirs} AND kind <> 'call') AS messages,
      (SELECT count(*) FROM digests WHERE ${theirs}) AS digests,
      (SELECT count(*) FROM summaries WHERE pinned <> 0 AND pinned_by = ?1) +
        (SELECT count(*) FROM digests WHERE pinned <> 0 AND pinned_by = ?1) AS pins`;
    return readCounts(this.connection.get(sql, author) ?? {});
  }

  events(author: string): string[] {
    const sql = 'SELECT id FROM events WHERE is_foreign <> 0 AND author = ? ORDER BY seq';
    return this.connection.texts(sql, author);
  }

  /** Removes these events of an author, and all pins of this author. Other devices are not asked to do the same. */
  remove(author: string, events: readonly string[]): void {
    for (let from = 0; from < events.length; from += removedTogether) {
      const some = JSON.stringify(events.slice(from, from + removedTogether));
      const sql =
        'DELETE FROM events WHERE is_foreign <> 0 AND author = ? AND id IN (SELECT value FROM json_each(?))';
      this.connection.run(sql, author, some);
    }
    for (const table of ['summaries', 'digests'])
      this.connection.run(`UPDATE ${table} SET pinned = 0, pinned_by = NULL WHERE pinned_by = ?`, author);
  }
}
