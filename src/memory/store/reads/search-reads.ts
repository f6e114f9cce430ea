import { legDepth } from '#core/limits';
import type { AskedWord } from '#reading/terms';
import { flag, list, number, rowReader, text, textOrNull } from '../row.ts';
import { DigestTable } from '../tables/digests.ts';
import { EdgeTable } from '../tables/edges.ts';
import { EmbeddingTable } from '../tables/embeddings.ts';
import { sessionOriginColumns } from '../tables/origin.ts';
import { readSummary, type SummaryWithTerms, summaryColumns } from '../tables/summaries.ts';
import { Table } from '../tables/table.ts';
import { Bm25, indexState } from './bm25.ts';
import { type CallPosition, CallPositions } from './call-positions.ts';
import { checked, filteredIds, type SearchFilter } from './filter.ts';
import { LexicalReads, type Occurrences } from './lexical-reads.ts';
import { furtherRows, memoryOf, notIndexed, saidIn } from './passages.ts';
import { Vocabulary } from './vocabulary.ts';

const knownTermsMax = 10_000;

/** What makes two results equal. */
export type Content = ReturnType<typeof readContent>;
const readContent = rowReader({ asked: text, output: text, text });

const readNearest = rowReader({ has: flag, earlier: textOrNull, later: textOrNull });

export type MessageTurn = ReturnType<typeof readTurn>;
const readTurn = rowReader({
  id: number,
  sessionId: text,
  ts: text,
  isPrompt: flag,
  next: textOrNull,
  until: textOrNull,
  since: textOrNull,
});

const readSession = rowReader({ firstTs: text, lastTs: text, digest: textOrNull });

/** How many index rows are read for each memory: those of one message may come one after the other. */
const rowsForMemory = 3;

/** The part of the second best passage of a message in its score. */
export const secondShare = 0.2;

/** The reads of search. All are synchronous; none waits for a writer. */
export class SearchReads extends Table {
  readonly embeddings = new EmbeddingTable(this);
  readonly edges = new EdgeTable(this);
  readonly #digests = new DigestTable(this);
  readonly #vocabulary = new Vocabulary(this);
  readonly #lexical: LexicalReads;
  readonly #positions = new CallPositions(this);
  readonly #known = new Map<string, number>();
  #indexState = '';
  #version = 0;
  #seen = '';

  /** `once`: see `LexicalReads`. */
  constructor(store: Pick<Table, 'connection'>, once = false) {
    super(store);
    this.#lexical = new LexicalReads(this, this.#vocabulary, { once });
  }

  /** Changes with every commit, by this connection or another. */
  dataVersion(): number {
    const seen = this.connection.changes();
    if (seen !== this.#seen) this.#version += 1;
    this.#seen = seen;
    return this.#version;
  }

  /** The rows of the lexical index, which takes 0.1 ms for any size. */
  rowCount(): number {
    return Bm25.of(this.connection).rows;
  }

  /** The number of summaries with each of `terms`; a term without summaries is left out. */
  documentFrequency(terms: readonly string[]): Map<string, number> {
    const known = this.#frequencies();
    const unknown = terms.filter((term) => !known.has(term));
    if (unknown.length > 0) {
      const found = this.#vocabulary.documentFrequency(unknown);
      for (const term of unknown) known.set(term, found.get(term) ?? 0);
    }
    return new Map(terms.map((term) => [term, known.get(term) ?? 0] as const).filter(([, doc]) => doc > 0));
  }

  /** What has been counted since the index last changed: FTS5 counts the rows of a word by going through all of them. */
  #frequencies(): Map<string, number> {
    const state = indexState(this.connection);
    if (state !== this.#indexState || this.#known.size > knownTermsMax) this.#known.clear();
    this.#indexState = state;
    return this.#known;
  }

  /**
   * The best memories for any of `words`, of those `asked`, best first; the score is FTS5's `-bm25()` of the best row, and of a message with several
   * passages a share of the second. Both columns have equal weight: other weights did not help (docs/research).
   */
  lexical(words: readonly AskedWord[], limit: number, asked: ReadonlySet<number> | null) {
    if (words.length === 0) return [];
    const isAsked = asked === null ? null : (row: number) => asked.has(memoryOf(row));
    const rowsMax = this.#hasPassages() ? limit * rowsForMemory : limit;
    const found = new Map<number, { id: number; score: number; rows: number[] }>();
    for (const { id: row, score } of this.#lexical.best(words, rowsMax, isAsked)) {
      const id = memoryOf(row);
      const one = found.get(id);
      if (one === undefined) found.set(id, { id, score, rows: [row] });
      else if (one.rows.length === 1) {
        one.rows.push(row);
        one.score += secondShare * score;
      }
    }
    return [...found.values()].sort((a, b) => b.score - a.score || b.id - a.id).slice(0, limit);
  }

  #hasPassages(): boolean {
    const sql = 'SELECT 1 FROM summaries_fts_docsize WHERE id >= ? LIMIT 1';
    return this.connection.has(sql, furtherRows);
  }

  /** Whether anything said is stored. */
  hasMessages(): boolean {
    return this.connection.has("SELECT 1 FROM events WHERE kind = 'message' LIMIT 1");
  }

  /** See `filteredIds`. Names of sessions, tools and clients are checked: an unknown one is no empty answer. @throws Failure `bad_request` */
  matching(filter: SearchFilter): Set<number> | null {
    return filteredIds(this.connection, checked(this.connection, filter));
  }

  /** The time of the memory nearest to a span, in which there is none; null if there is one, or none at all. */
  nearestTo(since = '', until = '\uffff'): string | null {
    const sql = `SELECT EXISTS (SELECT 1 FROM summaries WHERE ts >= ?1 AND ts < ?2) AS has,
      (SELECT max(ts) FROM summaries WHERE ts < ?1) AS earlier, (SELECT min(ts) FROM summaries WHERE ts >= ?2) AS later`;
    const { has, earlier, later } = readNearest(this.connection.get(sql, since, until) ?? {});
    if (has || earlier === null || later === null) return has ? null : (earlier ?? later);
    return Date.parse(since) - Date.parse(earlier) <= Date.parse(later) - Date.parse(until) ? earlier : later;
  }

  /**
   * What was at a time: of the memories of `only` (null: all) the digests, those of sessions with requests and most work first, or the
   * newest first; then what was asked in sessions without one, newest first.
   */
  ofTime(only: ReadonlySet<number> | null, isNewestFirst: boolean): number[] {
    const all = 'SELECT id FROM summaries UNION ALL SELECT id FROM digests WHERE id IS NOT NULL';
    const sql = `WITH asked(id) AS MATERIALIZED (${only === null ? all : 'SELECT value FROM json_each(?1)'}),
      found AS MATERIALIZED (SELECT s.id, s.ts, e.session_id AS session, e.tool = 'Prompt' AS is_prompt
        FROM asked JOIN summaries s USING (id) JOIN events e ON e.id = s.event_id WHERE s.terms <> '${notIndexed}'),
      of_session AS MATERIALIZED (SELECT session, max(is_prompt) AS is_prompt, count(*) AS n FROM found GROUP BY session),
      sessions AS (SELECT d.id, d.session_id AS session, d.ts, is_prompt, n
        FROM asked JOIN digests d USING (id) LEFT JOIN of_session ON session = d.session_id WHERE d.text <> '')
      SELECT id FROM (SELECT id, 0 AS part, is_prompt, ${isNewestFirst ? '0' : 'n'} AS n, ts FROM sessions
        UNION ALL SELECT id, 1, is_prompt, 0, ts FROM found WHERE session NOT IN (SELECT session FROM sessions))
      ORDER BY part, is_prompt DESC, n DESC, ts DESC LIMIT ${legDepth}`;
    const ids = only === null ? [] : [JSON.stringify([...only])];
    return this.connection.numbers(sql, ...ids);
  }

  /** Those of `sessions` of which something said is stored. */
  talking(sessions: readonly string[]): ReadonlySet<string> {
    const sql = `SELECT json_group_array(j.value) AS sessions FROM json_each(?) j
      WHERE EXISTS (SELECT 1 FROM events e WHERE e.kind = 'message' AND e.session_id = j.value)`;
    return new Set(list<string>(this.connection.get(sql, JSON.stringify(sessions)) ?? {}, 'sessions'));
  }

  /** Of messages of `ids`: the turn they belong to, and until when they are the last word. Times as stored; null without a next one. */
  turnsOf(ids: readonly number[]): MessageTurn[] {
    const near = (
      order: string,
      condition: string,
    ) => `(SELECT n.ts FROM events n WHERE n.kind = 'message' AND n.session_id = e.session_id
      AND ${condition} ORDER BY n.ts ${order} LIMIT 1)`;
    const sql = `SELECT s.id, e.session_id, e.ts, e.tool = 'Prompt' AS is_prompt, ${near('ASC', 'n.ts > e.ts')} AS next,
        ${near('ASC', "n.ts > e.ts AND n.tool = 'Prompt'")} AS until,
        iif(e.tool = 'Prompt', e.ts, ${near('DESC', "n.ts < e.ts AND n.tool = 'Prompt'")}) AS since
      FROM json_each(?) j JOIN summaries s ON s.id = j.value JOIN events e ON e.id = s.event_id WHERE e.kind = 'message'`;
    return this.connection.all(sql, JSON.stringify(ids)).map(readTurn);
  }

  /** The positions of the existing ones of `ids`, in any order. */
  places(ids: readonly number[]): CallPosition[] {
    return this.#positions.of(ids, this.dataVersion());
  }

  /** The summaries and digests of `ids` that exist, in any order. The terms of a message are its whole text, which the index holds. */
  rows(ids: readonly number[]): SummaryWithTerms[] {
    const sql = `SELECT ${summaryColumns}, s.terms, CASE WHEN e.kind = 'message' THEN e.payload_json END AS said
      FROM summaries s JOIN events e ON e.id = s.event_id WHERE s.id IN (SELECT value FROM json_each(?))`;
    const summaries = this.connection.all(sql, JSON.stringify(ids)).map((row) => {
      const said = textOrNull(row, 'said');
      return { ...readSummary(row), terms: (said === null ? null : saidIn(said)) ?? text(row, 'terms') };
    });
    return [...summaries, ...this.#digests.hits(ids)];
  }

  /** To compare by: what was given to the calls of `ids` and whether they failed, its output and the summary; of messages the words. */
  contents(ids: readonly number[]): Map<number, Content> {
    const sql = `SELECT s.id, s.text, e.is_error || iif(e.is_foreign, e.author, '') || coalesce(e.payload_json -> iif(e.kind = 'message', '$.output', '$.input'), '') AS asked,
        coalesce(e.payload_json -> '$.output', '') AS output
      FROM json_each(?) j JOIN summaries s ON s.id = j.value JOIN events e ON e.id = s.event_id
      WHERE json_valid(e.payload_json)`;
    const rows = this.connection.all(sql, JSON.stringify(ids));
    return new Map(rows.map((row) => [number(row, 'id'), readContent(row)]));
  }

  /** Those of `ids` whose stored event has `part`, as JSON writes it. Not what git printed well: it shows the subjects of changes, whose edits are looked for. */
  having(part: string, ids: readonly number[]): Set<number> {
    const sql = `SELECT s.id FROM json_each(?) j JOIN summaries s ON s.id = j.value JOIN events e ON e.id = s.event_id
      WHERE instr(e.payload_json, ?) > 0 AND (e.kind = 'message' OR e.is_error OR instr(e.payload_json, 'git ') = 0)`;
    return new Set(this.connection.numbers(sql, JSON.stringify(ids), part));
  }

  /** The first and last time of a session, its digest and its origin. */
  session(id: string): ReturnType<typeof readSession> {
    const sql = `SELECT coalesce(min(ts), '') AS first_ts, coalesce(max(ts), '') AS last_ts,
      (SELECT nullif(text, '') FROM digests WHERE session_id = ?1) AS digest${sessionOriginColumns('?1')} FROM events WHERE session_id = ?1`;
    return readSession(this.connection.get(sql, id) ?? {});
  }

  /** The counts of `words` in those of `ids` that the index holds, in any order. */
  occurrences(ids: readonly number[], words: readonly AskedWord[]): Occurrences[] {
    return this.#lexical.occurrences(ids, words);
  }

  /** The sessions of the summaries of `ids`, in their order; '' for a missing summary or session. */
  sessionsOf(ids: readonly number[]): string[] {
    const sql = `SELECT json_group_array(session) AS sessions FROM (SELECT coalesce(e.session_id, '') AS session
      FROM json_each(?) j LEFT JOIN summaries s ON s.id = j.value LEFT JOIN events e ON e.id = s.event_id ORDER BY j.key)`;
    return list(this.connection.get(sql, JSON.stringify(ids)) ?? {}, 'sessions');
  }
}
