import type { Connection } from './connection.ts';
import { number, text, textOrNull } from './row.ts';

/** Spec 2.3. */
export interface Counts {
  readonly events: number;
  readonly raw: number;
  readonly summarized: number;
  readonly skipped: number;
  readonly summaries: number;
  readonly embeddings: number;
}

export interface UsageRow {
  readonly day: string;
  readonly backend: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In 1e-6 USD; 0 where nothing is paid, and where the price is not known. */
  readonly costMicroUsd: number;
}

export interface SessionRow {
  readonly sessionId: string;
  readonly client: string;
  readonly events: number;
  readonly errors: number;
  readonly firstTs: string;
  readonly lastTs: string;
  /** What the session was about, line by line; null until it has been written, or when there is nothing to say. */
  readonly digest: string | null;
}

/** Figures over the whole store, and the small things kept beside the memories. */
export class Ledger {
  readonly #connection: Connection;
  #hasCosts = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  counts(): Counts {
    const sql = `SELECT
      (SELECT count(*) FROM events) AS events,
      (SELECT count(*) FROM events WHERE status = 'raw') AS raw,
      (SELECT count(*) FROM events WHERE status = 'summarized') AS summarized,
      (SELECT count(*) FROM events WHERE status = 'skipped') AS skipped,
      (SELECT count(*) FROM summaries) AS summaries,
      (SELECT count(*) FROM summary_embeddings) AS embeddings`;
    const row = this.#connection.get(sql) ?? {};
    return {
      events: number(row, 'events'),
      raw: number(row, 'raw'),
      summarized: number(row, 'summarized'),
      skipped: number(row, 'skipped'),
      summaries: number(row, 'summaries'),
      embeddings: number(row, 'embeddings'),
    };
  }

  /** Sessions by their last call, newest first. */
  sessions(limit: number): SessionRow[] {
    const sql = `SELECT session_id, min(client) AS client, count(*) AS events, sum(is_error) AS errors,
        min(ts) AS first_ts, max(ts) AS last_ts,
        (SELECT nullif(text, '') FROM digests WHERE digests.session_id = events.session_id) AS digest
      FROM events GROUP BY session_id ORDER BY last_ts DESC LIMIT ?`;
    return this.#connection.all(sql, limit).map((row) => ({
      sessionId: text(row, 'session_id'),
      client: text(row, 'client'),
      events: number(row, 'events'),
      errors: number(row, 'errors'),
      firstTs: text(row, 'first_ts'),
      lastTs: text(row, 'last_ts'),
      digest: textOrNull(row, 'digest'),
    }));
  }

  /** Adds to what a model has cost on a day (`YYYY-MM-DD`, UTC). */
  addUsage(use: Omit<UsageRow, 'costMicroUsd'> & { readonly costMicroUsd?: number }): void {
    const sql = `INSERT INTO usage (day, backend, model, calls, input_tokens, output_tokens, cost_micro_usd)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
        output_tokens = output_tokens + excluded.output_tokens, cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd`;
    const { day, backend, model, calls, inputTokens, outputTokens, costMicroUsd = 0 } = use;
    this.#connection.run(sql, day, backend, model, calls, inputTokens, outputTokens, costMicroUsd);
  }

  usageOf(day: string): UsageRow[] {
    this.#hasCosts ||= this.#connection.hasColumn('usage', 'cost_micro_usd');
    const cost = this.#hasCosts ? 'cost_micro_usd' : '0 AS cost_micro_usd';
    const sql = `SELECT day, backend, model, calls, input_tokens, output_tokens, ${cost}
      FROM usage WHERE day = ? ORDER BY backend, model`;
    return this.#connection.all(sql, day).map((row) => ({
      day: text(row, 'day'),
      backend: text(row, 'backend'),
      model: text(row, 'model'),
      calls: number(row, 'calls'),
      inputTokens: number(row, 'input_tokens'),
      outputTokens: number(row, 'output_tokens'),
      costMicroUsd: number(row, 'cost_micro_usd'),
    }));
  }

  setting(name: string): string | null {
    const row = this.#connection.get('SELECT value FROM settings WHERE name = ?', name);
    return row === undefined ? null : text(row, 'value');
  }

  setSetting(name: string, value: string | null): void {
    if (value === null) this.#connection.run('DELETE FROM settings WHERE name = ?', name);
    else this.#connection.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, value);
  }

  /** Another text after every write, of this connection or of another. */
  changes(): string {
    const own = number(this.#connection.get('SELECT total_changes() AS n') ?? {}, 'n');
    return `${own} ${this.dataVersion()}`;
  }

  /** Changes when another connection has written (https://www.sqlite.org/pragma.html#pragma_data_version). */
  dataVersion(): number {
    return number(this.#connection.get('PRAGMA data_version') ?? {}, 'data_version');
  }
}
