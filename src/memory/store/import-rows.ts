import type {
  ArchiveDigest,
  ArchiveEdge,
  ArchiveEvent,
  ArchiveForgotten,
  ArchivePrompt,
  ArchiveRow,
  ArchiveSummary,
} from './archive-rows.ts';
import type { Connection } from './connection.ts';
import { noteDuplicate } from './duplicates.ts';
import { askedEvidence } from './erase.ts';
import { ForgottenTable } from './forgotten.ts';
import { isShrunkPayload } from './retention-payload.ts';
import { number, text } from './row.ts';
import { SummaryTable, type Words } from './summaries.ts';

/** What became of rows from a file. */
export interface TakenRows {
  readonly events: number;
  readonly summaries: number;
  readonly edges: number;
  readonly prompts: number;
  readonly digests: number;
  /** Ids of events that were forgotten or pruned elsewhere, and stay away from now on. */
  readonly noted: number;
  /** Were there already, and stayed as they were. */
  readonly known: number;
  /** Were forgotten or pruned elsewhere and are here: they stay, too. */
  readonly stayed: number;
  /** Belong to events that were forgotten or pruned here. */
  readonly forgotten: number;
  /** Belong to events that are not there. */
  readonly loose: number;
}

/** How rows are taken in. */
export interface TakingIn {
  /** What was forgotten or pruned here up to then may come back: an ISO time, `always` or `never`. */
  readonly lifts: string;
  /** Sessions of which an event was left out, from this file so far; more are added. */
  readonly withheld: Set<string>;
  /** What the builtin summariser says of a call by itself; `kept` as in `Retell`. */
  readonly resummarise: (payloadJson: string, kept: Words | null) => Words;
}

type Outcome = 'taken' | 'known' | 'stayed' | 'forgotten' | 'loose';

/**
 * Takes rows in, in their order and in one transaction, and overwrites nothing that is there. A summary keeps its id where
 * that is free, and gets its vector later like any new one. What may quote an event that was left out comes without that.
 */
export function importRows(connection: Connection, rows: readonly ArchiveRow[], taking: TakingIn): TakenRows {
  const taken = { events: 0, summaries: 0, edges: 0, prompts: 0, digests: 0, noted: 0 };
  const left = { known: 0, stayed: 0, forgotten: 0, loose: 0 };
  connection.transaction(() => {
    const ids = rows.flatMap((row) =>
      row.type === 'event' ? [row.id] : row.type === 'summary' ? [row.eventId] : [],
    );
    const forgotten = new ForgottenTable(connection);
    if (taking.lifts !== 'never') forgotten.lift(ids, taking.lifts === 'always' ? null : taking.lifts);
    const entry = new Entry(connection, taking, forgotten.among(ids));
    const highest = connection.get('SELECT coalesce(max(seq), 0) AS n FROM events') ?? {};
    for (const row of rows) {
      const outcome = entry.take(row);
      if (outcome === 'taken') taken[plural[row.type]] += 1;
      else left[outcome] += 1;
    }
    settle(connection, number(highest, 'n'));
  });
  return { ...taken, ...left };
}

const plural = {
  event: 'events',
  summary: 'summaries',
  edge: 'edges',
  prompt: 'prompts',
  digest: 'digests',
  forgotten: 'noted',
} as const;

/** Events behind `seq` that say they have a summary, and came without it, are to be summarised. */
function settle(connection: Connection, seq: number): void {
  const sql = `UPDATE events SET status = 'raw'
    WHERE seq > ? AND status = 'summarized' AND id NOT IN (SELECT event_id FROM summaries)`;
  connection.run(sql, seq);
}

/** The way of each row into the database. */
class Entry {
  readonly #connection: Connection;
  readonly #taking: TakingIn;
  /** Events that are to stay away. */
  readonly #away: ReadonlySet<string>;

  constructor(connection: Connection, taking: TakingIn, away: ReadonlySet<string>) {
    this.#connection = connection;
    this.#taking = taking;
    this.#away = away;
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
    if (this.#away.has(row.id)) {
      if (row.sessionId !== '') this.#taking.withheld.add(row.sessionId);
      return 'forgotten';
    }
    const sql = `INSERT INTO events (id, ts, session_id, tool, tool_use_id, client, payload_json, is_error, status, attempts, last_error, shrunk)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
    const { id, ts, sessionId, tool, toolUseId, client, payloadJson, isError } = row;
    const state = [row.status, row.attempts, row.lastError, row.shrunk] as const;
    const values = [id, ts, sessionId, tool, toolUseId, client, payloadJson, isError ? 1 : 0, ...state];
    if (this.#connection.run(sql, ...values) === 0) return 'known';
    noteDuplicate(this.#connection, id);
    return 'taken';
  }

  #summary(row: ArchiveSummary): Outcome {
    if (this.#away.has(row.eventId)) return 'forgotten';
    const sql = 'SELECT session_id, payload_json FROM events WHERE id = ?';
    const event = this.#connection.get(sql, row.eventId);
    if (event === undefined) return 'loose';
    const quotes = row.model === 'builtin' && this.#taking.withheld.has(text(event, 'session_id'));
    const payloadJson = text(event, 'payload_json');
    const kept = isShrunkPayload(payloadJson) ? { text: row.text, terms: row.terms } : null;
    const words = quotes ? this.#taking.resummarise(payloadJson, kept) : {};
    return new SummaryTable(this.#connection).bringBack({ ...row, ...words }) ? 'taken' : 'known';
  }

  #edge({ from, to, kind, evidence, ts }: ArchiveEdge): Outcome {
    const between = `SELECT sf.id AS "from", st.id AS "to", f.session_id AS one, t.session_id AS other
      FROM summaries sf JOIN events f ON f.id = sf.event_id, summaries st JOIN events t ON t.id = st.event_id
      WHERE f.id = ? AND t.id = ?`;
    const ends = this.#connection.get(between, from, to);
    if (ends === undefined) return 'loose';
    const { withheld } = this.#taking;
    const mayQuote = withheld.has(text(ends, 'one')) || withheld.has(text(ends, 'other'));
    if (mayQuote && evidence.startsWith(askedEvidence)) return 'forgotten';
    const sql = 'INSERT OR IGNORE INTO edges (from_id, to_id, kind, evidence, ts) VALUES (?, ?, ?, ?, ?)';
    const [newer, older] = [number(ends, 'from'), number(ends, 'to')];
    return this.#connection.run(sql, newer, older, kind, evidence, ts) > 0 ? 'taken' : 'known';
  }

  #prompt({ id, sessionId, ts, text: words }: ArchivePrompt): Outcome {
    const sql = 'INSERT OR IGNORE INTO prompts (id, session_id, ts, text) VALUES (?, ?, ?, ?)';
    if (this.#connection.run(sql, id, sessionId, ts, words) === 0) return 'known';
    // The account of its session does not tell of it yet.
    this.#connection.run('UPDATE digests SET last_seq = 0 WHERE session_id = ?', sessionId);
    return 'taken';
  }

  #digest(row: ArchiveDigest): Outcome {
    // It may quote what was left out, and is made anew of what was not.
    if (this.#taking.withheld.has(row.sessionId)) return 'forgotten';
    const sql = `INSERT OR IGNORE INTO digests (session_id, text, terms, model, ts, last_seq)
      VALUES (?, ?, ?, ?, ?, coalesce((SELECT seq FROM events WHERE id = ?), 0))`;
    const { sessionId, text: words, terms, model, ts, lastEvent } = row;
    const added = this.#connection.run(sql, sessionId, words, terms, model, ts, lastEvent);
    return added > 0 ? 'taken' : 'known';
  }

  /** What is there is not removed: that takes its user's own word. */
  #forgotten({ id, ts }: ArchiveForgotten): Outcome {
    if (this.#connection.get('SELECT 1 FROM events WHERE id = ?', id) !== undefined) return 'stayed';
    return new ForgottenTable(this.#connection).note(id, ts) ? 'taken' : 'known';
  }
}
