import {
  type ArchiveDigest,
  type ArchiveEdge,
  type ArchiveEvent,
  type ArchivePrompt,
  type ArchiveSummary,
  edgesSql,
  memoryColumns,
  memoryOf,
  readDigest,
  readEdge,
  readPrompt,
  readSummary,
} from '../reads/archive-rows.ts';
import { flag, number, rowReader, text } from '../row.ts';
import { ForgottenTable } from '../tables/forgotten.ts';
import { SettingTable } from '../tables/settings.ts';
import { Table } from '../tables/table.ts';
import { type SyncAuthor, SyncAuthors } from './sync-authors.ts';

/** What devices send each other: the rows of an export, and what was done to them. */
export type SyncRow =
  | ArchiveEvent
  | ArchiveSummary
  | ArchiveEdge
  | ArchivePrompt
  | ArchiveDigest
  | SyncRemoved
  /** A pruned event that may return. */
  | { readonly type: 'restored'; readonly id: string }
  | SyncPin
  | SyncFocus
  | SyncAuthor;

/** An event that was forgotten, or pruned. */
export type SyncRemoved = ReturnType<typeof readRemoved>;
const readRemoved = rowReader({
  type: () => 'removed' as const,
  id: (row) => text(row, 'event_id'),
  ts: text,
  pruned: flag,
});

/** `key`: `e:` and an event, or `s:` and a session. The one with the highest `ms` counts. */
export type SyncPin = ReturnType<typeof readPin>;
const readPin = rowReader({ type: () => 'pin' as const, key: text, pinned: flag, ms: number });

export interface SyncFocus {
  readonly type: 'focus';
  readonly text: string | null;
  readonly ts: string;
}

/** Who sends: this device, and the author of what is recorded on it. */
export interface SyncSelf {
  /** The last one is in use. Former ones lost their place on the remote. */
  readonly devices: readonly string[];
  readonly author: string;
  /** `promoted`: only what was chosen leaves. */
  readonly share: 'all' | 'promoted';
}

/** Puts into the journal what a SELECT or VALUES says. */
const noted = 'INSERT OR REPLACE INTO sync_journal (kind, key)';

const journalRowsMax = 500;
const partCharsMax = 2_000_000;

/** What `memd sync` still has to send. */
export class SyncOutgoing extends Table {
  /** Starts to write down what changes. `again`, and the first time: everything that is stored has to be sent. */
  begin({ devices, author }: SyncSelf, again: boolean): void {
    const settings = new SettingTable(this);
    this.connection.transaction(() => {
      const isOn = settings.get('sync.journal') !== null;
      settings.set('sync.journal', JSON.stringify(devices));
      settings.set('sync.self', author);
      if (isOn && !again) return;
      for (const all of everything) this.connection.exec(all);
    });
  }

  /** How many rows wait. */
  waiting(): number {
    return this.connection.number('SELECT count(*) AS n FROM sync_journal');
  }

  /** The next rows after a position of the journal, and where they end; null when nothing waits. */
  next(self: SyncSelf, after: number): { readonly rows: SyncRow[]; readonly upTo: number } | null {
    return this.connection.transaction(() => {
      const entries = this.#entries(after);
      const last = entries.at(-1);
      if (last === undefined) return null;
      this.#sign(entries, self);
      return { rows: this.#rows(entries, self), upTo: last.seq };
    });
  }

  /** The rows up to there are in a segment. */
  sent(upTo: number): void {
    this.connection.run('DELETE FROM sync_journal WHERE seq <= ?', upTo);
  }

  /** Chooses a memory for the others; it is sent again with the note. False for what is not a call or message. */
  promote(summaryId: number, note: string): boolean {
    return this.connection.transaction(() => {
      const row = this.connection.get('SELECT event_id FROM summaries WHERE id = ?', summaryId);
      if (row === undefined) return false;
      const id = text(row, 'event_id');
      const sql = 'INSERT OR REPLACE INTO promoted (event_id, note, ts) VALUES (?, ?, ?)';
      this.connection.run(sql, id, note, new Date().toISOString());
      this.connection.run(`${noted} VALUES ('event', ?)`, id);
      this.connection.run(`${noted} VALUES ('pin', 'e:' || ?)`, id);
      return true;
    });
  }

  /** Sends summaries, digests and edges of some sessions once more. */
  resend(sessions: readonly string[]): void {
    const among = 'IN (SELECT value FROM json_each(?))';
    const all = [
      `SELECT 'summary', s.event_id FROM summaries s JOIN events e ON e.id = s.event_id WHERE e.session_id ${among}`,
      `SELECT 'digest', session_id FROM digests WHERE session_id ${among}`,
      `SELECT 'edge', x.from_id || ' ' || x.to_id || ' ' || x.kind FROM edges x
       JOIN summaries s ON s.id IN (x.from_id, x.to_id) JOIN events e ON e.id = s.event_id WHERE e.session_id ${among}`,
    ];
    this.connection.transaction(() => {
      for (const sql of all) this.connection.run(`${noted} ${sql}`, JSON.stringify(sessions));
    });
  }

  /** Those of `ids` that were forgotten or pruned. */
  removed(ids: readonly string[]): string[] {
    return [...new ForgottenTable(this).among(ids)];
  }

  /** Those of the segments `oids` that need not be read again. */
  known(oids: readonly string[]): string[] {
    const sql = 'SELECT oid FROM sync_segments WHERE done <> 0 AND oid IN (SELECT value FROM json_each(?))';
    return this.connection.texts(sql, JSON.stringify(oids));
  }

  #entries(after: number): Entry[] {
    const sql = `SELECT j.seq, j.kind, j.key, coalesce(length(e.payload_json), 0) AS chars FROM sync_journal j
      LEFT JOIN events e ON j.kind = 'event' AND e.id = j.key WHERE j.seq > ? ORDER BY j.seq LIMIT ?`;
    const entries = this.connection.all(sql, after, journalRowsMax).map(readEntry);
    let chars = 0;
    const end = entries.findIndex((entry) => {
      chars += entry.chars;
      return chars > partCharsMax;
    });
    return end < 1 ? (end === 0 ? entries.slice(0, 1) : entries) : entries.slice(0, end);
  }

  /** From its first sending on, an event keeps its device and author. */
  #sign(entries: readonly Entry[], { devices, author }: SyncSelf): void {
    const sql =
      'UPDATE events SET device = ?, author = ? WHERE device IS NULL AND id IN (SELECT value FROM json_each(?))';
    this.connection.run(sql, devices.at(-1) ?? '', author, keysOf(entries, 'event'));
  }

  #rows(entries: readonly Entry[], { devices, share }: SyncSelf): SyncRow[] {
    const ids = JSON.stringify(devices);
    const isAll = share === 'all';
    const all = (sql: string, kind: string) => this.connection.all(sql, keysOf(entries, kind), ids);
    const among = 'IN (SELECT value FROM json_each(?1))';
    const chosen = (id: string): string => (isAll ? '1' : `${id} IN (SELECT event_id FROM promoted)`);
    const own = `e.device IN (SELECT value FROM json_each(?2)) AND ${chosen('e.id')}`;
    const events = all(
      `SELECT ${memoryColumns} FROM events e LEFT JOIN summaries s ON s.event_id = e.id
       WHERE e.id ${among} AND ${own} ORDER BY e.seq`,
      'event',
    );
    const summaries = all(
      `SELECT s.id, s.event_id, s.text, s.terms, s.model, s.ts, s.pinned FROM summaries s JOIN events e ON e.id = s.event_id
       WHERE s.event_id ${among} AND ${own} ORDER BY s.id`,
      'summary',
    );
    const sentWith = new Set(events.map((row) => text(row, 'event_id')));
    const edges = all(
      `${edgesSql} WHERE x.from_id || ' ' || x.to_id || ' ' || x.kind ${among}
       AND f.device IN (SELECT value FROM json_each(?2)) AND ${chosen('f.id')} AND ${chosen('t.id')}`,
      'edge',
    );
    const digests = all(
      `SELECT d.id, d.pinned, d.session_id, d.text, d.terms, d.model, d.ts, e.id AS last_event
       FROM digests d JOIN events e ON e.seq = d.last_seq WHERE d.session_id ${among} AND ${own} AND ${isAll ? 1 : 0}`,
      'digest',
    );
    const pins = `SELECT key, pinned, ms FROM sync_pins WHERE key ${among} AND ?2 <> '' AND ${chosen('substr(key, 3)')}`;
    const note = (row: SyncRow): SyncRow => (row.type === 'summary' ? this.#withNote(row) : row);
    return [
      ...all(
        `SELECT event_id, ts, pruned FROM forgotten WHERE event_id ${among} AND ?2 <> ''`,
        'forgotten',
      ).map(readRemoved),
      ...all(
        `SELECT value AS id FROM json_each(?1) WHERE ?2 <> '' AND value NOT IN (SELECT event_id FROM forgotten)`,
        'restored',
      ).map((row) => ({ type: 'restored' as const, id: text(row, 'id') })),
      ...events
        .flatMap(memoryOf)
        .filter((row) => row.type === 'event' || row.type === 'summary')
        .map(note),
      ...summaries
        .filter((row) => !sentWith.has(text(row, 'event_id')))
        .map(readSummary)
        .map(note),
      ...edges.map(readEdge),
      ...all(
        `SELECT id, session_id, ts, text FROM prompts WHERE id ${among} AND ?2 <> '' AND ${isAll ? 1 : 0}`,
        'prompt',
      ).map(readPrompt),
      ...digests.map(readDigest),
      ...all(pins, 'pin').map(readPin),
      ...this.#authors(entries),
      ...(isAll && entries.some(({ kind }) => kind === 'focus') ? [this.#focus()] : []),
    ];
  }

  /** What its author says of a chosen memory goes with its summary, so that it is found and shown like it. */
  #withNote(row: ArchiveSummary): ArchiveSummary {
    const found = this.connection.get('SELECT note FROM promoted WHERE event_id = ?', row.eventId);
    const words = found === undefined ? '' : text(found, 'note');
    return words === '' ? row : { ...row, text: `${row.text}\n${words}` };
  }

  #authors(entries: readonly Entry[]): SyncAuthor[] {
    const names = new Set(entries.flatMap(({ kind, key }) => (kind === 'author' ? [key] : [])));
    return names.size === 0 ? [] : new SyncAuthors(this).all().filter(({ author }) => names.has(author));
  }

  #focus(): SyncFocus {
    const settings = new SettingTable(this);
    const ts = settings.get('focus.at') ?? new Date().toISOString();
    return { type: 'focus', text: settings.get('focus'), ts };
  }
}

type Entry = ReturnType<typeof readEntry>;
const readEntry = rowReader({ seq: number, kind: text, key: text, chars: number });

function keysOf(entries: readonly Entry[], wanted: string): string {
  return JSON.stringify(entries.filter(({ kind }) => kind === wanted).map(({ key }) => key));
}

/** In this order: an event has to be known before what names it. */
const everything = [
  `${noted} SELECT 'forgotten', event_id FROM forgotten`,
  `${noted} SELECT 'event', id FROM events ORDER BY seq`,
  `${noted} SELECT 'edge', from_id || ' ' || to_id || ' ' || kind FROM edges`,
  `${noted} SELECT 'prompt', id FROM prompts`,
  `${noted} SELECT 'digest', session_id FROM digests`,
  // The lowest time: any pin or unpin from now on is later.
  `INSERT OR IGNORE INTO sync_pins (key, pinned, ms) SELECT 'e:' || event_id, 1, 1 FROM summaries WHERE pinned <> 0
    UNION ALL SELECT 's:' || session_id, 1, 1 FROM digests WHERE pinned <> 0`,
  `${noted} SELECT 'pin', key FROM sync_pins WHERE device = ''`,
  `${noted} SELECT 'author', j.value ->> 'author' FROM settings, json_each(settings.value) j
    WHERE settings.name = 'sync.authors'`,
  `${noted} SELECT 'focus', '' FROM settings WHERE name = 'focus'`,
];
