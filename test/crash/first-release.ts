import type { JsonObject } from '#core/event';
import { Connection } from '../../src/memory/store/connection.ts';
import { schema4 } from '../../src/memory/store/schema/schema-4.ts';
import { rebuildDuplicates } from '../../src/memory/store/tables/duplicates.ts';

interface Stored {
  readonly tool: string;
  readonly input: JsonObject;
  readonly output: string;
  readonly isError?: true;
}

/** A request, a failing test, an edit, the test that passes, a commit; of a third of the sessions without its end. */
function sessionOf(at: number): readonly Stored[] {
  const run = (command: string, output: string): Stored => ({ tool: 'Bash', input: { command }, output });
  const calls = Array.from({ length: 4 }, (_, part): Stored[] => {
    const file_path = `/p/src/mill-${at}-${part}.ts`;
    return [
      { tool: 'Read', input: { file_path }, output: `sacks = ${part};` },
      { ...run('npm test', `FAIL mill-${part}.test.ts\nexpected ${part} to be ${at}`), isError: true },
      {
        tool: 'Edit',
        input: { file_path, old_string: `sacks = ${part};`, new_string: `bags = ${at};` },
        output: 'ok',
      },
      run('npm test', `Tests  ${at + 1} passed (${at + 1})`),
      run(
        `git commit -am "Mill ${at}: count sack ${part}"`,
        `[main 123456${part}] Mill ${at}: count sack ${part}\n 1 file changed`,
      ),
    ];
  });
  return calls.flat().slice(0, at % 3 === 0 ? -3 : undefined);
}

/** Writes a database as the first release left it: calls, few memories without vectors, digests, prompts next to the events. */
export function writeFirstRelease(file: string, sessions: number): void {
  const connection = new Connection(file, { readOnly: false });
  connection.exec(`PRAGMA journal_mode = WAL; ${schema4}; PRAGMA user_version = 4`);
  connection.transaction(() => {
    let seq = 0;
    for (let at = 0; at < sessions; at += 1) {
      const sessionId = `mill-${at}`;
      const timeOf = (call: number) => new Date(Date.UTC(2026, 0, 1, at, call)).toISOString();
      connection.run(
        'INSERT INTO prompts (id, session_id, ts, text) VALUES (?, ?, ?, ?)',
        `pr_${at}`,
        sessionId,
        timeOf(0),
        `Count the sacks of mill ${at}, please.`,
      );
      for (const [call, { tool, input, output, isError = false }] of sessionOf(at).entries()) {
        seq += 1;
        const ts = timeOf(call + 1);
        const payload = {
          tool,
          input,
          output,
          sessionId,
          toolUseId: `c${seq}`,
          ts,
          client: 'claude-code',
          isError,
          cwd: '/p',
        };
        connection.run(
          `INSERT INTO events (seq, id, ts, session_id, tool, tool_use_id, client, payload_json, is_error, status)
            VALUES (?, ?, ?, ?, ?, ?, 'claude-code', ?, ?, 'summarized')`,
          ...[seq, `ev_${seq}`, ts, sessionId, tool, `c${seq}`, JSON.stringify(payload), isError ? 1 : 0],
        );
        // Few: the vectors and edges of many come before the accounts.
        if (call > 0) continue;
        connection.run(
          "INSERT INTO summaries (id, event_id, text, terms, model, ts) VALUES (?, ?, ?, ?, 'builtin', ?)",
          ...[seq, `ev_${seq}`, `${tool} at mill ${at}: ${output}`, `mill ${at}`, ts],
        );
      }
      connection.run(
        "INSERT INTO digests (session_id, text, terms, model, ts, last_seq) VALUES (?, ?, '', 'builtin', ?, ?)",
        ...[sessionId, `The sacks of mill ${at}.`, timeOf(30), seq],
      );
    }
    connection.exec('INSERT INTO summaries_fts (rowid, text, terms) SELECT id, text, terms FROM summaries');
    rebuildDuplicates(connection);
  });
  connection.close();
}
