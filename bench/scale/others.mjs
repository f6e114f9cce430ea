// The same store asked by others in this process: FTS5 by itself, and sqlite-vec where it is installed.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../../scripts/ready.mjs';
import { quantiles } from './daemon.mjs';

const { DatabaseSync } = createRequire(path.join(root, 'package.json'))('@photostructure/sqlite');

/** The ten best by FTS5's own rank for any of a query's terms: no vectors, no fusion, no socket. */
export function plainFts5(rooms, database, queries) {
  const connection = new DatabaseSync(database, { readOnly: true });
  const search = connection.prepare(
    'SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH ? ORDER BY rank LIMIT 10',
  );
  const times = queries.map((query) =>
    timed(() => search.all(rooms.matchExpression(rooms.queryTerms(query)))),
  );
  connection.close();
  return quantiles(times);
}

/** The ten nearest vectors by sqlite-vec (float32, exact): null when `modules`, a folder of packages, has none. */
export async function sqliteVec(rooms, database, queries, modules, folder) {
  if (modules === undefined || !fs.existsSync(path.join(modules, 'sqlite-vec'))) return null;
  const extension = createRequire(path.join(path.resolve(modules), 'any.js'))('sqlite-vec').getLoadablePath();
  const file = path.join(folder, 'vec.sqlite');
  const connection = new DatabaseSync(file, { allowExtension: true });
  connection.enableLoadExtension(true);
  connection.loadExtension(extension);
  connection.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ATTACH '${database}' AS memd;
    CREATE VIRTUAL TABLE vectors USING vec0 (embedding float[384] distance_metric=cosine); BEGIN`);
  const rows = connection.prepare('SELECT summary_id, dim, vector FROM memd.summary_embeddings');
  const add = connection.prepare('INSERT INTO vectors (rowid, embedding) VALUES (?, ?)');
  for (const { summary_id: id, dim, vector } of rows.iterate()) {
    const floats = rooms.unpackVector(rooms.packedIn(vector, dim));
    add.run(BigInt(id), bytesOf(floats));
  }
  connection.exec('COMMIT');
  const search = connection.prepare('SELECT rowid FROM vectors WHERE embedding MATCH ? AND k = 10');
  const embedded = await rooms.deterministicEmbedder().embed(queries);
  const times = embedded.map((vector) => timed(() => search.all(bytesOf(vector))));
  connection.close();
  fs.rmSync(file);
  return quantiles(times);
}

function bytesOf(floats) {
  return new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);
}

function timed(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}
