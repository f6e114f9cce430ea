import fs from 'node:fs';
import { Connection } from '../../../src/memory/store/connection.ts';
import { schema4 } from '../../../src/memory/store/schema/schema-4.ts';
import { schema6 } from '../../../src/memory/store/schema/schema-6.ts';
import { rebuildDuplicates } from '../../../src/memory/store/tables/duplicates.ts';

/** What memd has written since its first release: three calls with their memories, one raw, one given up on. */
const content = `
  INSERT INTO events (seq, id, ts, session_id, tool, tool_use_id, client, payload_json, is_error, status, attempts, last_error) VALUES
    (1, 'ev_1', '2026-01-01T12:00:01.000Z', 's1', 'Read', 'c1', 'claude-code', '{"tool":"Read","input":{"file_path":"mill.ts"},"output":"a"}', 0, 'summarized', 0, NULL),
    (2, 'ev_2', '2026-01-01T12:00:02.000Z', 's1', 'Bash', 'c2', 'claude-code', '{"tool":"Bash","input":{"command":"make"},"output":"no rule"}', 1, 'summarized', 0, NULL),
    (3, 'ev_3', '2026-01-01T12:00:03.000Z', 's2', 'Bash', NULL, 'gemini-cli', '{"tool":"Bash","input":{"command":"make"},"output":"ok"}', 0, 'summarized', 0, NULL),
    (4, 'ev_4', '2026-01-01T12:00:04.000Z', 's2', 'Read', 'c4', 'codex', '{"tool":"Read","input":{},"output":"b"}', 0, 'raw', 1, 'fetch failed'),
    (9, 'ev_9', '2026-01-01T12:00:09.000Z', 's2', 'Read', 'c9', 'codex', '{"torn', 0, 'skipped', 3, 'not JSON');
  INSERT INTO summaries (id, event_id, text, terms, model, ts, pinned) VALUES
    (1, 'ev_1', 'read the quokka mill', 'mill ts', 'builtin', '2026-01-01T12:00:01.000Z', 1),
    (2, 'ev_2', 'make failed: no rule', 'make', 'qwen3', '2026-01-01T12:00:02.000Z', 0),
    (7, 'ev_3', 'make passed', 'make', 'qwen3', '2026-01-01T12:00:03.000Z', 0);
  INSERT INTO summaries_fts (rowid, text, terms) SELECT id, text, terms FROM summaries;
  INSERT INTO summary_embeddings (seq, summary_id, embedder, version, dim, vector) VALUES
    (1, 1, 'hash', 1, 4, x'0402013C7F000000'), (5, 7, 'nomic', 2, 4, x'05060708');
  INSERT INTO edges (from_id, to_id, kind, evidence, ts) VALUES
    (7, 2, 'supersedes', 'the same command', '2026-01-01T13:00:00.000Z'),
    (7, 1, 'contradicts', 'other words', '2026-01-01T13:00:00.000Z');
  INSERT INTO usage (day, backend, model, calls, input_tokens, output_tokens) VALUES ('2026-01-01', 'hosted', 'm', 3, 1000, 20);
  INSERT INTO settings (name, value) VALUES ('focus', 'the mill');
  INSERT INTO subjects (key, summary_id, outcome) VALUES (42, 2, 'failed'), (42, 7, 'passed');
  UPDATE summaries SET curated = 1 WHERE id < 7;
  INSERT INTO prompts (id, session_id, ts, text) VALUES ('pr_1', 's1', '2026-01-01T12:00:00.000Z', 'fix the mill');
  INSERT INTO digests (session_id, text, terms, model, ts, last_seq) VALUES ('s1', 'the mill was read', 'mill', 'builtin', '2026-01-01T12:00:02.000Z', 2);
  INSERT INTO forgotten (event_id, ts) VALUES ('ev_0', '2026-01-01T11:00:00.000Z');
  UPDATE usage SET cost_micro_usd = 77;
  INSERT INTO doubts (from_id, to_id, weight, attempts, verdict) VALUES (2, 1, 5, 1, NULL), (7, 2, 9, 1, 'supersedes');
  UPDATE events SET shrunk = 4000 WHERE seq = 1; UPDATE events SET shrunk = -1 WHERE seq = 2;
`;

/** A schema as some memd has written it, with content. */
export interface Released {
  readonly name: string;
  readonly version: number;
  readonly write: (connection: Connection) => void;
}

function first(connection: Connection): void {
  connection.exec(`${schema4}${content}`);
  rebuildDuplicates(connection);
}

export const released: readonly Released[] = [
  { name: 'schema 4, of the first release', version: 4, write: first },
  {
    name: 'schema 6, of the second release',
    version: 6,
    write: (connection) => {
      first(connection);
      schema6(connection);
    },
  },
];

/** An empty database of the second release, for its rows. */
export function ofSecondRelease(file: string): Connection {
  for (const part of ['', '-wal', '-shm']) fs.rmSync(`${file}${part}`, { force: true });
  fs.writeFileSync(file, '', { mode: 0o600 });
  const connection = new Connection(file, { readOnly: false });
  connection.exec(schema4);
  schema6(connection);
  connection.exec('PRAGMA user_version = 6');
  return connection;
}
