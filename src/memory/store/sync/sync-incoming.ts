import type { Connection } from '../connection.ts';
import type { ArchiveDigest, ArchiveEdge, ArchiveSummary } from '../reads/archive-rows.ts';
import { flag, number, text, textOrNull } from '../row.ts';
import { DigestTable } from '../tables/digests.ts';
import { ForgottenTable } from '../tables/forgotten.ts';
import { SettingTable } from '../tables/settings.ts';
import { SummaryTable } from '../tables/summaries.ts';
import { Table } from '../tables/table.ts';
import { eventsIn, type ImportOrigin, type Outcome, RowImport, settle } from './import-rows.ts';
import { isAhead, SyncAuthors } from './sync-authors.ts';
import type { SyncFocus, SyncPin, SyncRow } from './sync-outgoing.ts';
import { quietly, type SyncOrigin } from './sync-removals.ts';

const triesMax = 20;

/** Imports the rows of one segment in one transaction. What the rows say of removals is not read here: that comes first, for all segments. With `loose` ones, whose event is not here yet, the next sync reads it again. */
export function takeSegment(
  connection: Connection,
  oid: string,
  origin: SyncOrigin,
  rows: readonly SyncRow[],
) {
  const counts = { taken: 0, known: 0, forgotten: 0, loose: 0, stayed: 0 };
  quietly(connection, () => {
    const isRefused = new SyncAuthors({ connection }).isRefused(origin.author);
    const incoming = new Incoming(connection, origin, rows);
    const highest = connection.newestSeq();
    for (const row of isRefused ? [] : rows) {
      const outcome = incoming.take(row);
      if (outcome !== null) counts[outcome] += 1;
    }
    settle(connection, highest);
    const sql = `INSERT INTO sync_segments (oid, tries, done) VALUES (?1, 1, ?2)
      ON CONFLICT (oid) DO UPDATE SET tries = tries + 1, done = ?2 OR tries + 1 >= ${triesMax}`;
    connection.run(sql, oid, counts.loose === 0 ? 1 : 0);
  });
  const { stayed: _stayed, ...taken } = counts;
  return taken;
}

class Incoming extends Table {
  readonly #origin: SyncOrigin;
  /** What a row says of its author does not count. */
  readonly #recorded: ImportOrigin;
  readonly #rows: RowImport;
  readonly #withheld = new Set<string>();
  readonly #settings = new SettingTable(this);
  readonly #own: string;

  constructor(connection: Connection, origin: SyncOrigin, rows: readonly SyncRow[]) {
    super({ connection });
    this.#origin = origin;
    const { device, author, standing } = origin;
    this.#recorded = { device, author, isForeign: standing !== 'own' };
    const ids = eventsIn(rows);
    const forgotten = new ForgottenTable({ connection }).among(ids);
    const theirs =
      'SELECT event_id FROM sync_forgotten WHERE author = ? AND event_id IN (SELECT value FROM json_each(?))';
    for (const row of connection.all(theirs, origin.author, JSON.stringify(ids)))
      forgotten.add(text(row, 'event_id'));
    this.#rows = new RowImport(
      connection,
      { lifts: 'never', withheld: this.#withheld, originOf: () => this.#recorded },
      forgotten,
    );
    this.#own = this.#settings.get('sync.device') ?? '';
  }

  /** Null for rows that are not counted. */
  take(row: SyncRow): Outcome | null {
    // It would be the latest for good.
    if (this.#isForeign() && 'ts' in row && isAhead(Date.parse(row.ts))) return 'known';
    switch (row.type) {
      case 'event':
        return this.#rows.take(row);
      case 'summary':
        return this.#summary(row);
      case 'edge':
        return this.#edge(row);
      case 'prompt':
        return this.#isForeign() ? null : this.#rows.take(row);
      case 'digest':
        return this.#digest(row);
      case 'pin':
        return this.#pin(row);
      case 'focus':
        this.#focus(row);
        return null;
      case 'restored':
        if (this.#origin.standing !== 'stranger')
          this.connection.run('DELETE FROM forgotten WHERE pruned <> 0 AND event_id = ?', row.id);
        return null;
      case 'removed':
      case 'author':
        return null;
    }
  }

  #isForeign(): boolean {
    return this.#origin.standing !== 'own';
  }

  /** A device speaks for its own events alone. */
  #summary(row: ArchiveSummary): Outcome {
    const sql = `SELECT e.device, s.id, s.text, s.terms, s.model FROM events e LEFT JOIN summaries s ON s.event_id = e.id WHERE e.id = ?`;
    const known = this.connection.get(sql, row.eventId);
    if (known !== undefined && textOrNull(known, 'device') !== this.#origin.device) return 'known';
    const done =
      "UPDATE events SET status = 'summarized', lease_owner = NULL, lease_until = 0 WHERE id = ? AND status = 'raw'";
    if (typeof known?.['id'] !== 'number') {
      const outcome = this.#rows.take({ ...row, pinned: false });
      if (outcome === 'taken') this.connection.run(done, row.eventId);
      if (outcome === 'taken') this.#applyPin(`e:${row.eventId}`);
      return outcome;
    }
    this.connection.run(done, row.eventId);
    const id = number(known, 'id');
    if (text(known, 'text') === row.text && text(known, 'terms') === row.terms) return 'known';
    new SummaryTable(this).reword(id, row.text, row.terms);
    this.connection.run('UPDATE summaries SET model = ? WHERE id = ?', row.model, id);
    return 'taken';
  }

  #edge(row: ArchiveEdge): Outcome {
    const sql = 'SELECT id, device FROM events WHERE id IN (?, ?)';
    const ends = this.connection.all(sql, row.from, row.to);
    const from = ends.find((end) => text(end, 'id') === row.from);
    if (from !== undefined && textOrNull(from, 'device') !== this.#origin.device) return 'known';
    if (new ForgottenTable(this).among([row.from, row.to]).size > 0) return 'forgotten';
    return this.#rows.take(row);
  }

  #digest(row: ArchiveDigest): Outcome {
    const sessionId = this.#rows.sessionFor(row.sessionId, this.#recorded);
    if (row.lastEvent === null) return 'known';
    if (this.#withheld.has(row.sessionId)) return 'forgotten';
    const last = this.connection.get(
      'SELECT seq, device, session_id FROM events WHERE id = ?',
      row.lastEvent,
    );
    if (last === undefined)
      return new ForgottenTable(this).among([row.lastEvent]).size > 0 ? 'forgotten' : 'loose';
    if (textOrNull(last, 'device') !== this.#origin.device || text(last, 'session_id') !== sessionId)
      return 'known';
    const { text: words, terms, model, ts } = row;
    new DigestTable(this).save({
      sessionId,
      text: words,
      terms,
      model,
      ts,
      lastSeq: number(last, 'seq'),
    });
    this.#rows.signDigest(sessionId, this.#recorded);
    this.#applyPin(`s:${sessionId}`);
    return 'taken';
  }

  /** The latest counts, on every device the same. */
  #pin({ key, pinned, ms }: SyncPin): Outcome {
    const { device, standing } = this.#origin;
    // Nobody could change it again.
    if (isAhead(ms)) return 'known';
    const known = this.connection.get('SELECT ms, device FROM sync_pins WHERE key = ?', key);
    if (known !== undefined) {
      const [knownMs, by] = [number(known, 'ms'), text(known, 'device') || this.#own];
      if (ms < knownMs || (ms === knownMs && device <= by)) return 'known';
    }
    if (!this.#exists(key)) return this.#isRemoved(key) ? 'forgotten' : 'loose';
    // No other author undoes what the user pinned, and nobody takes it over.
    const mayUndo = !pinned && standing !== 'stranger' && standing !== 'member';
    if (this.#isForeign() && !mayUndo && this.#isOwnPin(key)) return 'known';
    const sql = `INSERT INTO sync_pins (key, pinned, ms, device) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (key) DO UPDATE SET pinned = ?2, ms = ?3, device = ?4`;
    this.connection.run(sql, key, pinned ? 1 : 0, ms, device);
    this.#setPin(key, pinned);
    return 'taken';
  }

  #exists(key: string): boolean {
    return this.connection.has(`SELECT 1 FROM ${tableOf(key)} = ?`, key.slice(2));
  }

  #isOwnPin(key: string): boolean {
    const sql = `SELECT 1 FROM ${tableOf(key)} = ? AND pinned <> 0 AND pinned_by IS NULL`;
    return this.connection.has(sql, key.slice(2));
  }

  #isRemoved(key: string): boolean {
    return key.startsWith('e:') && new ForgottenTable(this).among([key.slice(2)]).size > 0;
  }

  #applyPin(key: string): void {
    const pin = this.connection.get('SELECT pinned FROM sync_pins WHERE key = ?', key);
    if (pin !== undefined && flag(pin, 'pinned')) this.#setPin(key, true);
  }

  #setPin(key: string, pinned: boolean): void {
    const [table = '', where = ''] = tableOf(key).split(' WHERE ');
    const sql = `UPDATE ${table} SET pinned = ?, pinned_by = ? WHERE ${where} = ?`;
    this.connection.run(
      sql,
      pinned ? 1 : 0,
      pinned && this.#isForeign() ? this.#origin.author : null,
      key.slice(2),
    );
  }

  #focus({ text: words, ts }: SyncFocus): void {
    if (this.#origin.standing !== 'own' && this.#origin.standing !== 'trusted') return;
    const known = this.#settings.get('focus.at');
    if (known !== null && known >= ts) return;
    this.#settings.set('focus', words);
    this.#settings.set('focus.at', words === null ? null : ts);
  }
}

function tableOf(key: string): string {
  return key.startsWith('s:') ? 'digests WHERE session_id' : 'summaries WHERE event_id';
}
