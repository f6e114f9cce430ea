import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '#core/event';
import { findSessions } from './find-sessions.ts';
import { readRecords, type TranscriptItem } from './transcript.ts';

let home: string;
let data: string;
const root = '/home/ada/mill';
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-opencode-test-')));
  data = path.join(home, '.local/share/opencode');
  fs.mkdirSync(data, { recursive: true });
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const tool = (id: string, state: JsonObject): JsonObject => ({
  type: 'tool',
  tool: 'bash',
  callID: id,
  state,
});
const done = (id: string): JsonObject =>
  tool(id, {
    status: 'completed',
    input: { command: 'make' },
    output: 'ground 3 sacks',
    title: 'make',
    metadata: { output: 'ground 3 sacks', exit: 0 },
    time: { start: 1, end: 1_767_225_600_000 },
  });

interface Session {
  readonly id: string;
  readonly directory: string;
  readonly parent?: string;
  readonly parts: readonly (JsonObject | string)[];
  readonly role?: string;
  readonly error?: JsonObject;
}

/** Fills a database in OpenCode's tables, reduced to the columns that matter; left open, its log is not taken in. */
function fill(file: string, sessions: readonly Session[]): DatabaseSyncInstance {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);`);
  for (const { id, directory, parent = null, parts, role = 'assistant', error } of sessions) {
    database.prepare('INSERT INTO session VALUES (?, ?, ?, 5)').run(id, parent, directory);
    const message = JSON.stringify({ role, time: { completed: 1_767_225_601_000 }, error });
    database.prepare('INSERT INTO message VALUES (?, ?, 1767225600000, ?)').run(`m-${id}`, id, message);
    for (const [at, part] of parts.entries()) {
      const text = typeof part === 'string' ? part : JSON.stringify(part);
      database.prepare('INSERT INTO part VALUES (?, ?, ?, 7, ?)').run(`p-${id}-${at}`, `m-${id}`, id, text);
    }
  }
  return database;
}

async function readAll(env: Record<string, string> = {}) {
  const place = await findSessions({ root, home, env, belongs: (cwd) => cwd === root }, 'opencode');
  const items: TranscriptItem[] = [];
  const reports = [];
  for (const transcript of place.transcripts) {
    reports.push(await transcript.read((item) => void items.push(item)));
  }
  place.close();
  const all = items.flatMap((item) => (item.kind === 'observation' ? [item.observation] : []));
  const observations = all.filter(({ message }) => message === undefined);
  const failed = all.filter(({ message, isError }) => message !== undefined && isError);
  const prompts = all.filter(({ message }) => message?.role === 'user').map(({ output }) => output);
  return {
    observations,
    prompts,
    errors: failed.map(({ sessionId, output, ts }) => [sessionId, output, ts]),
    reports,
    unreadable: place.unreadable,
    names: place.transcripts.map((t) => t.name),
  };
}

const listed = (): string[] => fs.readdirSync(data).sort();

describe('the database', () => {
  it('gives the sessions of the project, in the hook’s own words, and is left as it was', async () => {
    fill(path.join(data, 'opencode.db'), [
      { id: 's1', directory: root, parts: [{ type: 'text', text: 'x' }, done('c1')] },
      { id: 's2', directory: `${root}-evil`, parts: [done('c2')] },
    ]).close();
    const before = listed();
    const { observations, names } = await readAll();
    expect(names).toEqual([`${path.join(data, 'opencode.db')}#s1`]);
    expect(observations).toEqual([
      {
        tool: 'bash',
        input: { command: 'make' },
        output: { title: 'make', metadata: { exit: 0 }, output: 'ground 3 sacks' },
        sessionId: 's1',
        toolUseId: 'c1',
        ts: '2026-01-01T00:00:00.000Z',
        client: 'opencode',
        isError: false,
        cwd: root,
      },
    ]);
    expect(listed()).toEqual(before);
  });

  it('is read with what stands in its log while OpenCode has it open', async () => {
    const open = fill(path.join(data, 'opencode.db'), [{ id: 's1', directory: root, parts: [done('c1')] }]);
    const before = listed();
    expect(before).toContain('opencode.db-wal');
    expect((await readAll()).observations).toHaveLength(1);
    expect(listed()).toEqual(before);
    open.prepare('INSERT INTO session VALUES (?, NULL, ?, 1)').run('s9', root);
    open.close();
  });

  it('leaves no copy behind', async () => {
    const there = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('memd-opencode-copy-'));
    const before = there();
    const open = fill(path.join(data, 'opencode.db'), [{ id: 's1', directory: root, parts: [done('c1')] }]);
    await readAll();
    open.close();
    expect(there()).toEqual(before);
  });

  it('loses what is damaged and nothing else', async () => {
    fill(path.join(data, 'opencode.db'), [
      {
        id: 's1',
        directory: root,
        parts: ['{"half', '[1]', done('c1'), tool('c2', { status: 'running', input: {} })],
      },
    ]).close();
    fs.writeFileSync(path.join(data, 'opencode-dev.db'), 'no database');
    const { observations, reports, unreadable } = await readAll();
    expect(observations.map(({ toolUseId, unfinished }) => [toolUseId, unfinished])).toEqual([
      ['c1', undefined],
      ['c2', true],
    ]);
    expect(reports).toMatchObject([{ malformed: 2, unanswered: 1, failure: null }]);
    expect(unreadable).toEqual([expect.stringContaining('opencode-dev.db')]);
  });

  it('reads a failed call’s error, and what the user typed to a session of his own', async () => {
    const text = (text: string, more: JsonObject = {}): JsonObject => ({ type: 'text', text, ...more });
    fill(path.join(data, 'opencode.db'), [
      {
        id: 's1',
        directory: root,
        parts: [tool('c1', { status: 'error', input: {}, error: 'no such file' })],
      },
      {
        id: 's2',
        directory: root,
        role: 'user',
        parts: [text('grind it'), text('a file', { synthetic: true })],
      },
      { id: 's3', directory: root, parent: 's2', role: 'user', parts: [text('a task')] },
    ]).close();
    const { observations, prompts } = await readAll();
    expect(observations).toMatchObject([{ isError: true, output: 'no such file' }]);
    expect(prompts).toEqual(['grind it']);
  });

  it('reads which API error ended a turn, and not what the user stopped', async () => {
    const failed = (id: string, name: string) => ({
      ...{ id, directory: root, parts: [done(`c-${id}`)] },
      error: { name, data: { message: '529 the mill is busy' } },
    });
    fill(path.join(data, 'opencode.db'), [
      failed('s1', 'APIError'),
      failed('s2', 'MessageAbortedError'),
      { ...failed('s3', 'APIError'), parts: [] },
      { id: 's4', directory: root, parts: [], error: { name: 'UnknownError' } },
    ]).close();
    const { errors, observations, reports } = await readAll();
    expect(errors).toEqual([
      ['s1', 'API error: 529 the mill is busy', '2026-01-01T00:00:01.000Z'],
      ['s3', 'API error: 529 the mill is busy', '2026-01-01T00:00:01.000Z'],
    ]);
    expect(observations).toHaveLength(2);
    expect(reports.map(({ malformed }) => malformed)).toEqual([0, 0, 0, 0]);
  });

  it('stands where OPENCODE_DB says', async () => {
    const file = path.join(home, 'my.db');
    fill(file, [{ id: 's1', directory: root, parts: [done('c1')] }]).close();
    expect((await readAll({ OPENCODE_DB: file })).observations).toHaveLength(1);
    expect((await readAll({ OPENCODE_DB: '../../../my.db' })).observations).toHaveLength(1);
    expect((await readAll({ OPENCODE_DB: ':memory:' })).observations).toEqual([]);
  });
});

describe('the files of older versions', () => {
  const write = (name: string, content: JsonObject | string): void => {
    const file = path.join(data, 'storage', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  const session = (directory: string): JsonObject => ({ id: 'x', directory, time: { updated: 9 } });

  it('are read alike, but for a session that the database has', async () => {
    for (const id of ['s1', 's2']) {
      write(`session/global/${id}.json`, session(root));
      write(`message/${id}/m-${id}.json`, { role: 'assistant', time: { created: 1 } });
      write(`part/m-${id}/p1.json`, done(`c-${id}`));
      write(`part/m-${id}/p2.json`, '{"half');
    }
    write('session/global/s3.json', session(`${root}-evil`));
    fill(path.join(data, 'opencode.db'), [{ id: 's2', directory: root, parts: [done('c-s2')] }]).close();
    const { observations, reports } = await readAll();
    expect(observations.map(({ toolUseId, sessionId }) => [sessionId, toolUseId])).toEqual([
      ['s1', 'c-s1'],
      ['s2', 'c-s2'],
    ]);
    expect(reports.map(({ malformed }) => malformed)).toEqual([1, 0]);
  });
});

it('a failure in the middle is reported, with the calls before it', async () => {
  function* half() {
    yield { opencode: 'part', session: 's', role: 'assistant', isHelper: false, part: done('c1') };
    yield null;
  }
  const report = await readRecords('x', half(), () => {}, { ms: 1 });
  expect(report).toMatchObject({ client: 'opencode', observations: 1, malformed: 1 });
});
