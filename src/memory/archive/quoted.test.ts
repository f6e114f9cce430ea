import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { openStore, type Store } from '#memory/store';
import { builtinBackend, drain } from '#memory/summarise';
import { Archive } from './archive.ts';
import { exportLines } from './line.ts';
import { writeLines } from './whole-file.ts';

/** Said by a check that failed, and repeated by the summary of the one that passed, as earlier versions wrote it. */
const word = ['quux', 'unrepeatable', '77'].join('');
let folder: string;
let store: Store;
let archive: Archive;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-quoted-'));
  store = openStore(path.join(folder, 'db.sqlite'));
  archive = new Archive(store, folder);
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

function call(at: number, more: Partial<ToolEvent>): ToolEvent {
  return {
    id: `ev_${at}`,
    tool: 'Bash',
    input: { command: 'npm test' },
    output: { stdout: '12 passed', stderr: '', interrupted: false },
    sessionId: 's1',
    toolUseId: `call_of_test_${at}`,
    ts: new Date(Date.UTC(2026, 0, 1, 12, at)).toISOString(),
    client: 'claude-code',
    isError: false,
    cwd: '/p',
    ...more,
  };
}

const failed = (at: number, more: Partial<ToolEvent> = {}): ToolEvent =>
  call(at, { output: `Exit code 1\nFAIL src/mill.test.ts\nError: ${word}`, isError: true, ...more });
const edit = (at: number, more: Partial<ToolEvent> = {}): ToolEvent =>
  call(at, {
    tool: 'Edit',
    input: { file_path: '/p/src/mill.ts', old_string: 'const a = 1;', new_string: `const a = ${at};` },
    output: { filePath: '/p/src/mill.ts' },
    ...more,
  });
const passed = (at: number, more: Partial<ToolEvent> = {}): ToolEvent => call(at, more);

async function drained(into: Store, events: readonly ToolEvent[]): Promise<void> {
  into.events.insert(events);
  await drain(
    {
      store: into,
      choose: () => Promise.resolve({ backend: builtinBackend() }),
      batchSize: 16,
      attemptsMax: 3,
      owner: 'tester',
      report: () => {},
      signal: new AbortController().signal,
    },
    null,
  );
}

const idOf = (event: string, of = store): number =>
  Number(of.connection.get('SELECT id FROM summaries WHERE event_id = ?', event)?.id);
const textOf = (event: string, of = store): string => of.summaries.get([idOf(event, of)])[0]?.text ?? '';
const quote = (event: string): void => {
  const clause = `. Passed after failing 2 calls before (${word}); changed in between: src/mill.ts.`;
  store.summaries.reword(idOf(event), `${textOf(event)}${clause}`, '');
};
const filesWith = (text: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => fs.lstatSync(path.join(folder, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(folder, name), 'latin1').toLowerCase().includes(text));

describe('what quotes a forgotten call', () => {
  test('is summarised again immediately, under its id, with its pin and its edges, and no byte of it is left', async () => {
    await drained(store, [failed(1), edit(2), passed(3), passed(4, { sessionId: 's2' })]);
    quote('ev_3');
    const id = idOf('ev_3');
    expect(textOf('ev_3')).toContain(word);
    store.summaries.pin(id, true);
    const ts = '2026-01-01T00:00:00.000Z';
    store.edges.add([{ from: id, to: idOf('ev_2'), kind: 'supersedes', evidence: 'e', ts }]);
    // What a model made of the words, and a question whose answer is still to come.
    const asked = { from: idOf('ev_4'), to: id, kind: 'contradicts' as const, ts };
    store.edges.add([{ ...asked, evidence: `asked m: #4 contradicts #3: not ${word}` }]);
    store.candidatePairs.add([{ from: id, to: idOf('ev_2'), weight: 1 }]);
    const vector = { summaryId: id, text: textOf('ev_3'), vector: new Uint8Array(4), dim: 1 };
    store.embeddings.save('e', 1, [vector]);
    store.subjects.save(id, [{ key: 7, outcome: 'passed' }]);
    expect(await archive.forget(idOf('ev_1'))).toEqual({ kept: [] });
    expect(textOf('ev_3')).toMatch(/^Ran `npm test`/);
    expect(textOf('ev_3')).not.toContain('failing');
    expect(store.summaries.get([id])).toMatchObject([{ eventId: 'ev_3', pinned: true, model: 'builtin' }]);
    expect(store.edges.touching([id])).toMatchObject([{ from: id, evidence: 'e' }]);
    const answer = {
      from: id,
      to: idOf('ev_2'),
      kind: 'contradicts' as const,
      evidence: `asked m: ${word}`,
      ts,
    };
    expect(store.candidatePairs.settle({ from: id, to: idOf('ev_2'), weight: 1 }, answer)).toBe(false);
    expect(store.embeddings.describe(id)).toBeNull();
    expect(store.subjects.uncurated(9)).toContain(id);
    expect(store.events.someRaw()).toBe(false);
    expect(filesWith(word)).toEqual([]);
    store.close();
    expect(filesWith(word)).toEqual([]);
    store = openStore(path.join(folder, 'db.sqlite'));
  });

  test('leaves the words of messages of its session, whatever they look like', async () => {
    const texts = [
      'Rename the button. “Save all” should become “Save”.',
      'All steps are through. 5 of 5 done.',
      'Still open. `npm test` had failed before the change.',
    ];
    const messages = texts.map((output, at) => {
      const message = { role: 'user', turnId: `turn-${at}`, agentId: null } as const;
      return call(at + 2, { tool: 'Prompt', input: {}, output, message });
    });
    await drained(store, [failed(1), ...messages]);
    const before = messages.map(({ id }) => textOf(id));
    await archive.forget(idOf('ev_1'));
    expect(messages.map(({ id }) => textOf(id))).toEqual(before);
    expect(before[0]).toContain('should become');
  });

  test('says of the calls that are left what a drain would say', async () => {
    const events = [
      failed(1, { output: 'Exit code 1\nFAIL src/rye.test.ts\nError: no rye' }),
      failed(2),
      edit(3),
      passed(4),
    ];
    await drained(store, events);
    quote('ev_4');
    await archive.forget(idOf('ev_2'));
    const other = openStore(path.join(folder, 'other.sqlite'));
    try {
      await drained(
        other,
        events.filter(({ id }) => id !== 'ev_2'),
      );
      expect(textOf('ev_4')).toBe(`${textOf('ev_4', other)}.`);
    } finally {
      other.close();
    }
  });

  test('is found however many calls are in between', async () => {
    const reads = Array.from({ length: 60 }, (_, at) =>
      call(at + 2, { tool: 'Read', input: { file_path: `/p/${at}.md` }, output: 'rye' }),
    );
    await drained(store, [failed(1), ...reads, passed(70)]);
    quote('ev_70');
    await archive.forget(idOf('ev_1'));
    expect(filesWith(word)).toEqual([]);
  });

  test('is what a model wrote, which saw the one call only: that stays', async () => {
    await drained(store, [failed(1), edit(2), passed(3)]);
    store.connection.run("UPDATE summaries SET model = 'm', text = 'by a model' WHERE event_id = 'ev_3'");
    await archive.forget(idOf('ev_1'));
    expect(textOf('ev_3')).toBe('by a model');
  });

  test('is not said again by a row whose payload was torn since', async () => {
    await drained(store, [failed(1), edit(2), passed(3)]);
    quote('ev_3');
    store.connection.run("UPDATE events SET payload_json = '{' WHERE id = 'ev_3'");
    await archive.forget(idOf('ev_1'));
    expect(textOf('ev_3')).toMatch(/^Ran `npm test`/);
    expect(filesWith(word)).toEqual([]);
  });

  test('in restore files, exports and backups of the folder goes too, and links are reported', async () => {
    await drained(store, [failed(1), edit(2), passed(3)]);
    quote('ev_3');
    const ts = '2026-01-01T00:00:00.000Z';
    const evidence = `asked m: #3 contradicts #2: not ${word}`;
    store.edges.add([{ from: idOf('ev_3'), to: idOf('ev_2'), kind: 'contradicts', evidence, ts }]);
    const lines = [...exportLines(store)];
    await writeLines(path.join(folder, 'mine.ndjson'), lines);
    const kept = lines.filter((line) => !line.includes('"ev_1"'));
    await writeLines(path.join(folder, 'restore-20260101T000000.000Z.ndjson'), kept);
    store.connection.exec(`VACUUM INTO '${path.join(folder, 'db.sqlite.schema-1.backup')}'`);
    fs.mkdirSync(path.join(folder, 'elsewhere'));
    fs.renameSync(path.join(folder, 'mine.ndjson'), path.join(folder, 'elsewhere', 'mine.ndjson'));
    fs.symlinkSync(path.join(folder, 'elsewhere', 'mine.ndjson'), path.join(folder, 'mine.ndjson'));
    await writeLines(path.join(folder, 'whole.ndjson'), lines);
    expect(filesWith(word)).toHaveLength(4);
    expect(await archive.forget(idOf('ev_1'))).toEqual({ kept: ['mine.ndjson'] });
    expect(filesWith(word)).toEqual([]);
    // Where a link leads to is not for this program to write, nor is the link replaced.
    expect(fs.lstatSync(path.join(folder, 'mine.ndjson')).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(path.join(folder, 'elsewhere', 'mine.ndjson'), 'utf8')).toContain(word);
    const [summary] = fs
      .readFileSync(path.join(folder, 'whole.ndjson'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"eventId":"ev_3"'));
    expect(JSON.parse(summary ?? '')).toMatchObject({ type: 'summary', id: idOf('ev_3'), model: 'builtin' });
  });
});

test('a file that is none, and one that cannot be read, do not keep a call from being forgotten', async () => {
  await drained(store, [failed(1), edit(2)]);
  const mine = path.join(folder, 'mine.ndjson');
  await writeLines(mine, exportLines(store));
  fs.chmodSync(mine, 0o000);
  const socket = net.createServer();
  await new Promise<void>((resolve) => socket.listen(path.join(folder, 'odd.ndjson'), resolve));
  try {
    const { kept } = (await archive.forget(idOf('ev_1'))) ?? {};
    // Root reads all.
    expect(kept).toEqual(process.getuid?.() === 0 ? [] : ['mine.ndjson']);
    expect(store.events.known(['ev_1'])).toEqual(new Set(['ev_1']));
    expect(store.connection.get("SELECT 1 FROM events WHERE id = 'ev_1'")).toBeUndefined();
  } finally {
    await new Promise((resolve) => socket.close(resolve));
  }
});

describe('an import where a call was forgotten', () => {
  test('leaves out the call, and its words in what is taken in', async () => {
    await drained(store, [failed(1), edit(2), passed(3)]);
    quote('ev_3');
    store.digests.save({
      sessionId: 's1',
      text: `Failed: ${word}`,
      terms: '',
      model: 'builtin',
      ts: '2026-01-01T12:03:00.000Z',
      lastSeq: 3,
    });
    const ts = '2026-01-01T00:00:00.000Z';
    store.edges.add([
      { from: idOf('ev_3'), to: idOf('ev_2'), kind: 'contradicts', evidence: `asked m: not ${word}`, ts },
    ]);
    const file = path.join(folder, 'elsewhere', 'all.ndjson');
    fs.mkdirSync(path.dirname(file));
    await writeLines(file, exportLines(store));
    await archive.forget(idOf('ev_1'));
    store.connection.run('DELETE FROM events');
    const step = { file, place: null, forgotten: false };
    const { took, next } = await archive.importPart(step);
    expect(next).toBeNull();
    expect(took).toMatchObject({ events: 2, summaries: 2, edges: 0, digests: 0, forgotten: 4, bad: 0 });
    expect(textOf('ev_3')).toMatch(/^Ran `npm test`/);
    expect(filesWith(word)).toEqual([]);
  });
});
