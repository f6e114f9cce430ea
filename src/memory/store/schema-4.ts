import { vectorBatchMax } from '../../core/limits.ts';
import { packedIn } from '../vector/index.ts';
import type { Connection } from './connection.ts';
import { blob, number, text } from './row.ts';

/**
 * Schema 4: packed vectors, with a quarter of the bytes. The rows are copied into a new table, since shortened rows would leave
 * their pages three quarters empty. A value that is not a vector of its `dim` is copied unchanged.
 */
export function schema4(connection: Connection): void {
  connection.exec(`CREATE TABLE summary_embeddings_4 (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    summary_id INTEGER NOT NULL UNIQUE REFERENCES summaries (id) ON DELETE CASCADE,
    embedder TEXT NOT NULL,
    version INTEGER NOT NULL,
    dim INTEGER NOT NULL,
    vector BLOB NOT NULL
  )`);
  for (let behind = 0, count = vectorBatchMax; count === vectorBatchMax; ) {
    const rows = connection.all(rowsBehind, behind, vectorBatchMax);
    for (const row of rows) {
      const dim = number(row, 'dim');
      const vector = blob(row, 'vector');
      behind = number(row, 'seq');
      const [summaryId, version] = [number(row, 'summary_id'), number(row, 'version')];
      connection.run(
        insert,
        behind,
        summaryId,
        text(row, 'embedder'),
        version,
        dim,
        packedIn(vector, dim) ?? vector,
      );
    }
    count = rows.length;
  }
  connection.exec(`
    DELETE FROM sqlite_sequence WHERE name = 'summary_embeddings_4';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'summary_embeddings_4', seq FROM sqlite_sequence WHERE name = 'summary_embeddings';
    DROP TABLE summary_embeddings;
    ALTER TABLE summary_embeddings_4 RENAME TO summary_embeddings;
  `);
}

const rowsBehind = `SELECT seq, summary_id, embedder, version, dim, CAST(vector AS BLOB) AS vector
  FROM summary_embeddings WHERE seq > ? ORDER BY seq LIMIT ?`;
const insert = `INSERT INTO summary_embeddings_4 (seq, summary_id, embedder, version, dim, vector)
  VALUES (?, ?, ?, ?, ?, ?)`;
