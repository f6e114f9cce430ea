import { number, rowReader, text } from '../row.ts';
import { Table } from './table.ts';

export type UsageRow = ReturnType<typeof readUsage>;
const readUsage = rowReader({
  day: text,
  backend: text,
  model: text,
  calls: number,
  inputTokens: number,
  outputTokens: number,
  /** In 1e-6 USD; 0 for free models and for unknown prices. */
  costMicroUsd: number,
});

/** What models were used for, by day (`YYYY-MM-DD`, UTC). */
export class UsageTable extends Table {
  /** Adds to the day's row of a model. */
  add(use: Omit<UsageRow, 'costMicroUsd'> & { readonly costMicroUsd?: number }): void {
    const sql = `INSERT INTO usage (day, backend, model, calls, input_tokens, output_tokens, cost_micro_usd)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
        output_tokens = output_tokens + excluded.output_tokens, cost_micro_usd = cost_micro_usd + excluded.cost_micro_usd`;
    const { day, backend, model, calls, inputTokens, outputTokens, costMicroUsd = 0 } = use;
    this.connection.run(sql, day, backend, model, calls, inputTokens, outputTokens, costMicroUsd);
  }

  of(day: string): UsageRow[] {
    const sql = `SELECT day, backend, model, calls, input_tokens, output_tokens, cost_micro_usd
      FROM usage WHERE day = ? ORDER BY backend, model`;
    return this.connection.all(sql, day).map(readUsage);
  }
}
