import { list, number, rowReader, text } from '../row.ts';
import { Table } from './table.ts';

export const graphNodesMax = 500;

const readEdge = rowReader({
  /** The id of the newer summary. */
  from: (row) => number(row, 'from_id'),
  to: (row) => number(row, 'to_id'),
  kind: (row, column) => (text(row, column) === 'supersedes' ? 'supersedes' : 'contradicts'),
  evidence: text,
  ts: text,
});
export type Edge = ReturnType<typeof readEdge>;

/** Which summary supersedes or contradicts which. */
export class EdgeTable extends Table {
  /** Stores edges between existing summaries; a known edge keeps its evidence. Returns how many are new. */
  add(edges: readonly Edge[]): number {
    const sql = `INSERT OR IGNORE INTO edges (from_id, to_id, kind, evidence, ts)
      SELECT newer.id, older.id, ?3, ?4, ?5 FROM summaries newer, summaries older WHERE newer.id = ?1 AND older.id = ?2`;
    let added = 0;
    for (const { from, to, kind, evidence, ts } of edges)
      added += this.connection.run(sql, from, to, kind, evidence, ts);
    return added;
  }

  /** All edges from or to one of `ids`. */
  touching(ids: readonly number[]): Edge[] {
    const sql = `SELECT from_id, to_id, kind, evidence, ts FROM edges
      WHERE from_id IN (SELECT value FROM json_each(?1)) OR to_id IN (SELECT value FROM json_each(?1))`;
    return this.connection.all(sql, JSON.stringify(ids)).map(readEdge);
  }

  /** The `supersedes` edges to one of `ids`. */
  superseding(ids: readonly number[]): Edge[] {
    // `IN` would go through all edges.
    const sql = `SELECT from_id, to_id, kind, evidence, e.ts FROM json_each(?) j CROSS JOIN edges e ON e.to_id = j.value
      WHERE e.kind = 'supersedes'`;
    return this.connection.all(sql, JSON.stringify(ids)).map(readEdge);
  }

  /** The same without their words, by the index alone. */
  successors(ids: readonly number[]): { newer: number; older: number }[] {
    const sql = `SELECT json_group_array(from_id) AS newer, json_group_array(to_id) AS older
      FROM json_each(?) j CROSS JOIN edges e ON e.to_id = j.value WHERE e.kind = 'supersedes'`;
    const row = this.connection.get(sql, JSON.stringify(ids)) ?? {};
    const older = list<number>(row, 'older');
    return list<number>(row, 'newer').map((newer, at) => ({ newer, older: older[at] ?? 0 }));
  }

  /** The neighbourhood of `id` up to `depth` steps: the ids in it (nearest first) and the edges between them. */
  neighbourhood(id: number, depth: number): { ids: number[]; edges: Edge[] } {
    const ids = new Set([id]);
    let border = [id];
    for (let step = 0; step < depth && border.length > 0 && ids.size < graphNodesMax; step += 1) {
      const next = this.touching(border).flatMap((edge) => [edge.from, edge.to]);
      border = [...new Set(next)].filter((one) => !ids.has(one)).slice(0, graphNodesMax - ids.size);
      for (const one of border) ids.add(one);
    }
    const edges = this.touching([...ids]).filter((edge) => ids.has(edge.from) && ids.has(edge.to));
    return { ids: [...ids], edges };
  }
}
