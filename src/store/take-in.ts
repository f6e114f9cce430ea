import type {
  ArchiveDigest,
  ArchiveEdge,
  ArchiveEvent,
  ArchivePrompt,
  ArchiveRow,
  ArchiveSummary,
} from './archive-rows.ts';
import type { Connection } from './connection.ts';
import { ForgottenTable } from './forgotten.ts';
import { number } from './row.ts';
import { SummaryTable } from './summaries.ts';

/** What became of rows from a file. */
export interface TakenRows {
  readonly events: number;
  readonly summaries: number;
  readonly edges: number;
  readonly prompts: number;
  readonly digests: number;
  /** Were there already, and stayed as they were. */
  readonly known: number;
  /** Belong to events that were forgotten or pruned. */
  readonly forgotten: number;
  /** Belong to events that are not there. */
  readonly loose: number;
}

type Outcome = 'taken' | 'known' | 'forgotten' | 'loose';

/**
 * Takes rows in, in their order and in one transaction, and overwrites nothing that is there. With `lifts` what was
 * forgotten may come back. A summary keeps its id where that is free, and gets its vector later like any new one.
 */
export function takeInRows(connection: Connection, rows: readonly ArchiveRow[], lifts: boolean): TakenRows {
  const taken = { events: 0, summaries: 0, edges: 0, prompts: 0, digests: 0 };
  const left = { known: 0, forgotten: 0, loose: 0 };
  const plural = {
    event: 'events',
    summary: 'summaries',
    edge: 'edges',
    prompt: 'prompts',
    digest: 'digests',
  } as const;
  connection.transaction(() => {
    const ids = rows.flatMap((row) =>
      row.type === 'event' ? [row.id] : row.type === 'summary' ? [row.eventId] : [],
    );
    const forgotten = new ForgottenTable(connection);
    if (lifts) forgotten.lift(ids);
    const away = forgotten.among(ids);
    const highest = connection.get('SELECT coalesce(max(seq), 0) AS n FROM events') ?? {};
    for (const row of rows) {
      const outcome = takeInRow(connection, row, away);
      if (outcome === 'taken') taken[plural[row.type]] += 1;
      else left[outcome] += 1;
    }
    settle(connection, number(highest, 'n'));
  });
  return { ...taken, ...left };
}

/** Events behind `seq` that say they have a summary, and came without it, are to be summarised. */
function settle(connection: Connection, seq: number): void {
  const sql = `UPDATE events SET status = 'raw'
    WHERE seq > ? AND status = 'summarized' AND id NOT IN (SELECT event_id FROM summaries)`;
  connection.run(sql, seq);
}

function takeInRow(connection: Connection, row: ArchiveRow, away: ReadonlySet<string>): Outcome {
  switch (row.type) {
    case 'event':
      return away.has(row.id) ? 'forgotten' : takeInEvent(connection, row);
    case 'summary':
      return away.has(row.eventId) ? 'forgotten' : takeInSummary(connection, row);
    case 'edge':
      return takeInEdge(connection, row);
    case 'prompt':
      return takeInPrompt(connection, row);
    case 'digest':
      return takeInDigest(connection, row);
  }
}

function takeInEvent(connection: Connection, row: ArchiveEvent): Outcome {
  const sql = `INSERT INTO events (id, ts, session_id, tool, tool_use_id, client, payload_json, is_error, status, attempts, last_error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
  const { id, ts, sessionId, tool, toolUseId, client, payloadJson, isError, status, attempts, lastError } =
    row;
  const values = [
    id,
    ts,
    sessionId,
    tool,
    toolUseId,
    client,
    payloadJson,
    isError ? 1 : 0,
    status,
    attempts,
    lastError,
  ];
  return connection.run(sql, ...values) > 0 ? 'taken' : 'known';
}

function takeInSummary(connection: Connection, row: ArchiveSummary): Outcome {
  if (connection.get('SELECT 1 FROM events WHERE id = ?', row.eventId) === undefined) return 'loose';
  return new SummaryTable(connection).bringBack(row) ? 'taken' : 'known';
}

function takeInEdge(connection: Connection, { from, to, kind, evidence, ts }: ArchiveEdge): Outcome {
  const ends = connection.get(
    'SELECT f.id AS "from", t.id AS "to" FROM summaries f, summaries t WHERE f.event_id = ? AND t.event_id = ?',
    from,
    to,
  );
  if (ends === undefined) return 'loose';
  const sql = 'INSERT OR IGNORE INTO edges (from_id, to_id, kind, evidence, ts) VALUES (?, ?, ?, ?, ?)';
  const added = connection.run(sql, number(ends, 'from'), number(ends, 'to'), kind, evidence, ts);
  return added > 0 ? 'taken' : 'known';
}

function takeInPrompt(connection: Connection, { id, sessionId, ts, text }: ArchivePrompt): Outcome {
  const sql = 'INSERT OR IGNORE INTO prompts (id, session_id, ts, text) VALUES (?, ?, ?, ?)';
  if (connection.run(sql, id, sessionId, ts, text) === 0) return 'known';
  // The account of its session does not tell of it yet.
  connection.run('UPDATE digests SET last_seq = 0 WHERE session_id = ?', sessionId);
  return 'taken';
}

function takeInDigest(connection: Connection, row: ArchiveDigest): Outcome {
  const sql = `INSERT OR IGNORE INTO digests (session_id, text, terms, model, ts, last_seq)
    VALUES (?, ?, ?, ?, ?, coalesce((SELECT seq FROM events WHERE id = ?), 0))`;
  const { sessionId, text, terms, model, ts, lastEvent } = row;
  return connection.run(sql, sessionId, text, terms, model, ts, lastEvent) > 0 ? 'taken' : 'known';
}
