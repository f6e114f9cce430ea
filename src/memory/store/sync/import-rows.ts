import type { Connection } from '../connection.ts';
import type {
  ArchiveDigest,
  ArchiveEdge,
  ArchiveEvent,
  ArchiveForgotten,
  ArchivePrompt,
  ArchiveRow,
  ArchiveSummary,
} from '../reads/archive-rows.ts';
import { askedEvidence, withoutClause } from '../repair/erase.ts';
import { flag, number, type Origin, text } from '../row.ts';
import { removeIfCopy } from '../tables/copies.ts';
import { freeId } from '../tables/digest-index.ts';
import { DigestTable } from '../tables/digests.ts';
import { noteDuplicate } from '../tables/duplicates.ts';
import { ForgottenTable } from '../tables/forgotten.ts';
import { messageColumns } from '../tables/message-columns.ts';
import { PromptTable } from '../tables/prompts.ts';
import { SummaryTable } from '../tables/summaries.ts';
import { Table } from '../tables/table.ts';
import { SyncAuthors } from './sync-authors.ts';
import type { SyncRow } from './sync-outgoing.ts';
import { withoutJournal } from './sync-removals.ts';

/** Who recorded an imported row. */
export interface ImportOrigin {
  /** Null: this one. Empty: unknown. */
  readonly device: string | null;
  readonly author: string;
  /** Another author than the user of this memory. */
  readonly isForeign: boolean;
}

export interface ImportOptions {
  /** Null if nothing says who: then it counts as the user's own. `row` may say it itself. */
  readonly originOf: (row: Origin) => ImportOrigin | null;
  /** Events that were forgotten or pruned here up to this ISO time may be imported; or `always`, `never`. */
  readonly lifts: string;
  /** Sessions with an event of this file that was left out; more are added. */
  readonly withheld: Set<string>;
}

export type Outcome = 'taken' | 'known' | 'stayed' | 'forgotten' | 'loose';

/**
 * Imports rows in their order and in one transaction, and overwrites nothing. Returns how many were imported, and how many were not. A summary keeps its id if that is free, and gets
 * its vector later. What may quote an event that was left out is imported without the quote.
 */
export function importRows(connection: Connection, rows: readonly ArchiveRow[], options: ImportOptions) {
  // `noted`: ids of events that were forgotten or pruned elsewhere, and are forgotten here from now on.
  const taken = { events: 0, summaries: 0, edges: 0, prompts: 0, digests: 0, noted: 0 };
  // `known` and `stayed` exist here, the latter forgotten elsewhere; `forgotten` and `loose` belong to events that do not.
  const left = { known: 0, stayed: 0, forgotten: 0, loose: 0 };
  connection.transaction(() => {
    const ids = eventsIn(rows);
    const forgotten = new ForgottenTable({ connection });
    if (options.lifts !== 'never') forgotten.lift(ids, options.lifts === 'always' ? null : options.lifts);
    const rowImport = new RowImport(connection, options, forgotten.among(ids));
    const highest = connection.newestSeq();
    for (const row of rows) {
      const outcome = rowImport.take(row);
      if (outcome === 'taken') taken[plural[row.type]] += 1;
      else left[outcome] += 1;
    }
    settle(connection, highest);
  });
  return { ...taken, ...left };
}

export type ImportedRows = Readonly<ReturnType<typeof importRows>>;

/** The ids that rows have as an event or prompt, or say something of. */
export function eventsIn(rows: readonly (ArchiveRow | SyncRow)[]): string[] {
  return rows.flatMap((row) =>
    row.type === 'event' || row.type === 'prompt' ? [row.id] : row.type === 'summary' ? [row.eventId] : [],
  );
}

const plural = {
  event: 'events',
  summary: 'summaries',
  edge: 'edges',
  prompt: 'prompts',
  digest: 'digests',
  forgotten: 'noted',
} as const;

/** Imported events (after `seq`) whose summary is missing wait for a new one. */
export function settle(connection: Connection, seq: number): void {
  const sql = `UPDATE events SET status = 'raw'
    WHERE seq > ? AND status = 'summarized' AND id NOT IN (SELECT event_id FROM summaries)`;
  connection.run(sql, seq);
}

/** Imports rows one by one, within a transaction. */
export class RowImport extends Table {
  readonly #options: ImportOptions;
  readonly #forgottenIds: ReadonlySet<string>;

  constructor(connection: Connection, options: ImportOptions, forgottenIds: ReadonlySet<string>) {
    super({ connection });
    this.#options = options;
    this.#forgottenIds = forgottenIds;
  }

  take(row: ArchiveRow): Outcome {
    switch (row.type) {
      case 'event':
        return this.#event(row);
      case 'summary':
        return this.#summary(row);
      case 'edge':
        return this.#edge(row);
      case 'prompt':
        return this.#prompt(row);
      case 'digest':
        return this.#digest(row);
      case 'forgotten':
        return this.#forgotten(row);
    }
  }

  #event(row: ArchiveEvent): Outcome {
    const origin = this.#options.originOf(row);
    const sessionId = this.sessionFor(row.sessionId, origin);
    if (this.#forgottenIds.has(row.id) || this.#isRefused(origin)) {
      for (const session of [row.sessionId, sessionId])
        if (session !== '') this.#options.withheld.add(session);
      return 'forgotten';
    }
    // Another author's copy of an own event, which came first.
    if (origin?.isForeign === false)
      this.connection.run('DELETE FROM events WHERE id = ? AND is_foreign <> 0', row.id);
    const sql = `INSERT INTO events (id, ts, session_id, tool, tool_use_id, client, payload_json, is_error, status, attempts, last_error, shrunk,
        device, author, is_foreign, kind, role, turn_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
    const { id, ts, tool, toolUseId, client, payloadJson, isError } = row;
    const state = [row.status, row.attempts, row.lastError, row.shrunk, ...columnsOf(origin)] as const;
    const values = [id, ts, sessionId, tool, toolUseId, client, payloadJson, isError ? 1 : 0, ...state];
    if (this.connection.run(sql, ...values, ...messageColumns(tool, payloadJson)) === 0) return 'known';
    // What another author recorded is no copy of the user's own, and the other way round.
    if (origin?.isForeign !== true && removeIfCopy(this.connection, id)) return 'known';
    noteDuplicate(this.connection, id);
    if (origin?.isForeign !== true) this.#setApart(sessionId);
    return 'taken';
  }

  /** `memd sync forget-author` has named this author. A restore file of that may bring it back. */
  #isRefused(origin: ImportOrigin | null): boolean {
    if (origin?.isForeign !== true || this.#options.lifts !== 'never') return false;
    return new SyncAuthors(this).isRefused(origin.author);
  }

  /** What another author recorded never becomes a part of an own session, nor of the user's calls without one. */
  sessionFor(session: string, origin: ImportOrigin | null): string {
    if (origin?.isForeign !== true) return session;
    const sql = 'SELECT 1 FROM events WHERE session_id = ? AND is_foreign = 0 LIMIT 1';
    if (session !== '' && !this.connection.has(sql, session)) return session;
    return `${session}@${origin.device?.slice(0, 8) || origin.author}`;
  }

  /** What another author sent of an own session before that came. Both get a new digest. */
  #setApart(session: string): void {
    const sql = `UPDATE events SET session_id = session_id || '@' || coalesce(nullif(substr(device, 1, 8), ''), author)
      WHERE session_id = ? AND session_id <> '' AND is_foreign <> 0`;
    if (this.connection.run(sql, session) === 0) return;
    this.connection.run('DELETE FROM digests WHERE session_id = ? AND is_foreign <> 0', session);
  }

  #isKnownCopy(id: string): boolean {
    return this.connection.has('SELECT 1 FROM paired WHERE id = ?', id);
  }

  #summary(row: ArchiveSummary): Outcome {
    if (this.#forgottenIds.has(row.eventId)) return 'forgotten';
    const sql = 'SELECT session_id, is_foreign, kind FROM events WHERE id = ?';
    const event = this.connection.get(sql, row.eventId);
    if (event === undefined && this.#isKnownCopy(row.eventId)) return 'known';
    if (event === undefined) return this.#isRefused(this.#options.originOf(row)) ? 'forgotten' : 'loose';
    // Nobody speaks for the events of another.
    if (this.#options.originOf(row)?.isForeign === true && !flag(event, 'is_foreign')) return 'known';
    const quotes =
      row.model === 'builtin' &&
      text(event, 'kind') === 'call' &&
      this.#options.withheld.has(text(event, 'session_id'));
    const by = this.#pinnedBy(row);
    const words = quotes ? withoutClause(row.text) : row.text;
    const summary = { ...row, text: words, pinned: row.pinned && by === null };
    if (!new SummaryTable(this).bringBack(summary)) return 'known';
    if (by !== null) this.#pin('summaries', 'event_id', row.eventId, by);
    return 'taken';
  }

  /** The other author who pinned a row. */
  #pinnedBy({ pinned, pinnedBy }: ArchiveSummary | ArchiveDigest): string | null {
    if (!pinned) return null;
    // Otherwise the user of the file's memory pinned it, also where another author recorded it.
    const origin = this.#options.originOf(pinnedBy === undefined ? {} : { author: pinnedBy });
    return origin?.isForeign === true ? origin.author : null;
  }

  /** Nothing that this memory's user says to the others. */
  #pin(table: 'summaries' | 'digests', key: string, value: string, by: string): void {
    const sql = `UPDATE ${table} SET pinned = 1, pinned_by = ? WHERE ${key} = ?`;
    withoutJournal(this.connection, () => {
      this.connection.run(sql, by, value);
    });
  }

  #edge({ from, to, kind, evidence, ts }: ArchiveEdge): Outcome {
    const between = `SELECT sf.id AS "from", st.id AS "to", f.session_id AS one, t.session_id AS other, f.is_foreign AND t.is_foreign AND f.author = t.author AS are_theirs
      FROM summaries sf JOIN events f ON f.id = sf.event_id, summaries st JOIN events t ON t.id = st.event_id
      WHERE f.id = ? AND t.id = ?`;
    const ends = this.connection.get(between, from, to);
    if (ends === undefined) return 'loose';
    const { withheld, originOf } = this.#options;
    // Another author's memory replaces nobody else's.
    if (originOf({})?.isForeign === true && !flag(ends, 'are_theirs')) return 'known';
    const mayQuote = withheld.has(text(ends, 'one')) || withheld.has(text(ends, 'other'));
    if (mayQuote && evidence.startsWith(askedEvidence)) return 'forgotten';
    const sql = 'INSERT OR IGNORE INTO edges (from_id, to_id, kind, evidence, ts) VALUES (?, ?, ?, ?, ?)';
    const [newer, older] = [number(ends, 'from'), number(ends, 'to')];
    return this.connection.run(sql, newer, older, kind, evidence, ts) > 0 ? 'taken' : 'known';
  }

  #prompt(prompt: ArchivePrompt): Outcome {
    if (this.#forgottenIds.has(prompt.id)) return 'forgotten';
    // A prompt has no author: it would be the user's own.
    if (this.#options.originOf({})?.isForeign === true) return 'loose';
    return new PromptTable(this).insertOne(prompt) ? 'taken' : 'known';
  }

  #digest(row: ArchiveDigest): Outcome {
    // It may quote what was left out; it is written again.
    if (this.#options.withheld.has(row.sessionId)) return 'forgotten';
    const { id, text: words, terms, model, ts, lastEvent, pinned } = row;
    const origin = this.#options.originOf(row);
    const sessionId = this.sessionFor(row.sessionId, origin);
    const digests = new DigestTable(this);
    if (digests.get(sessionId) !== null) return 'known';
    const by = this.#pinnedBy(row);
    const last = this.connection.get('SELECT seq FROM events WHERE id = ?', lastEvent);
    const lastSeq = last === undefined ? 0 : number(last, 'seq');
    digests.save(
      { sessionId, text: words, terms, model, ts, lastSeq },
      { id: freeId(this.connection, id), pinned: pinned && by === null },
    );
    this.signDigest(sessionId, origin);
    if (by !== null) this.#pin('digests', 'session_id', sessionId, by);
    return 'taken';
  }

  signDigest(sessionId: string, origin: ImportOrigin | null): void {
    const sql = 'UPDATE digests SET device = ?, author = ?, is_foreign = ? WHERE session_id = ?';
    this.connection.run(sql, ...columnsOf(origin), sessionId);
  }

  /** An existing event is not removed: only its user may ask for that. */
  #forgotten({ id, ts }: ArchiveForgotten): Outcome {
    // Nobody forgets for the user.
    if (this.#options.originOf({})?.isForeign === true) return 'known';
    if (this.connection.has('SELECT 1 FROM events WHERE id = ?', id)) return 'stayed';
    return new ForgottenTable(this).add([id], ts) > 0 ? 'taken' : 'known';
  }
}

/** `device`, `author`, `is_foreign`. What this device recorded is signed when it is sent. */
function columnsOf(origin: ImportOrigin | null): readonly [string | null, string | null, number] {
  if (origin === null || origin.device === null) return [null, null, 0];
  return [origin.device, origin.author, origin.isForeign ? 1 : 0];
}
