// What a database stores, by tables and indexes, from SQLite's own `dbstat`.
import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * Bytes of pages. `payloadPages` are those of the table of events, which in addition to the payloads holds some 200 bytes an event;
 * `others` is all the rest, and those.
 */
export function bytesOf(file) {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const one = (sql) => Object.values(database.prepare(sql).get())[0];
    const tables = database.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all();
    const payloadBytes = one('SELECT coalesce(sum(octet_length(payload_json)), 0) FROM events');
    const rowBytes = one(
      'SELECT sum(octet_length(id) + octet_length(ts) + octet_length(session_id) + octet_length(tool) + coalesce(octet_length(tool_use_id), 0) + octet_length(client) + 24) FROM events',
    );
    const parts = {};
    let payloadPages = 0;
    for (const { name, bytes } of tables) {
      if (name === 'events') payloadPages = bytes;
      else parts[groupOf(name)] = (parts[groupOf(name)] ?? 0) + bytes;
    }
    parts['event rows'] = rowBytes;
    const pageSize = one('PRAGMA page_size');
    const freePages = one('PRAGMA freelist_count');
    return {
      events: one('SELECT count(*) FROM events'),
      summaries: one('SELECT count(*) FROM summaries'),
      parts,
      others: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0),
      payloadBytes,
      payloadPages,
      freePages,
      used: (one('PRAGMA page_count') - freePages) * pageSize,
      file: fs.statSync(file).size,
    };
  } finally {
    database.close();
  }
}

function groupOf(name) {
  if (name.startsWith('summaries_fts')) return 'lexical index';
  if (/^(summaries|sqlite_autoindex_summaries)/.test(name)) return 'summaries';
  if (/summary_embeddings/.test(name)) return 'vectors';
  if (/^subjects/.test(name)) return 'subjects';
  if (/^(events|sqlite_autoindex_events)/.test(name)) return 'indexes of events';
  if (/^(edges|doubts|sqlite_autoindex_(edges|doubts))/.test(name)) return 'edges';
  return 'rest';
}
