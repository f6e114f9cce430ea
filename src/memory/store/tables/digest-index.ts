import { indexText } from '#reading/terms';
import type { Connection } from '../connection.ts';
import { number, text } from '../row.ts';

/** A higher id in a file is not kept: the sequence would soon be at its end. */
export const archiveIdMax = 1_000_000_000;

/** The next id of the sequence that summaries and digests share. */
export function nextId(connection: Connection): number {
  const sql = `INSERT INTO sqlite_sequence (name, seq)
    SELECT 'summaries', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'summaries')`;
  connection.run(sql);
  const next = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'summaries' RETURNING seq";
  return connection.number(next);
}

/** `id` if no memory has it, and the sequence then goes on after it; else the next id. */
export function freeId(connection: Connection, id: number | null): number {
  const taken = 'SELECT 1 FROM summaries WHERE id = ?1 UNION ALL SELECT 1 FROM digests WHERE id = ?1';
  if (id === null || id > archiveIdMax || connection.has(taken, id)) return nextId(connection);
  connection.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'summaries' AND seq < ?", id, id);
  return id;
}

/** Puts the digest of a session into the lexical index, in place of its former words. */
export function indexDigest(connection: Connection, id: number, words: string, terms: string): void {
  connection.run('DELETE FROM summaries_fts WHERE rowid = ?', id);
  const sql = 'INSERT INTO summaries_fts (rowid, text, terms) VALUES (?, ?, ?)';
  if (words !== '') connection.run(sql, id, indexText(words), indexText(terms));
}

/** Puts all digests into an index without them. Returns how many. */
export function indexDigests(connection: Connection): number {
  const rows = connection.all('SELECT id, text, terms FROM digests WHERE id IS NOT NULL ORDER BY id');
  for (const row of rows) indexDigest(connection, number(row, 'id'), text(row, 'text'), text(row, 'terms'));
  return rows.length;
}
