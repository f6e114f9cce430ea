import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const session = '0d0c0000-0000-4000-8000-00000000000b';

/** The records of one finished call in a Claude Code transcript. */
function recordsOf(id: string, cwd: string): JsonObject[] {
  const where = { sessionId: session, cwd, timestamp: '2026-03-01T10:00:00.000Z' };
  const use = { type: 'tool_use', id, name: 'Bash', input: { command: `make ${id}` } };
  const result = { type: 'tool_result', tool_use_id: id, content: `made ${id}`, is_error: false };
  return [
    { type: 'assistant', ...where, message: { role: 'assistant', content: [use] } },
    {
      type: 'user',
      ...where,
      message: { role: 'user', content: [result] },
      toolUseResult: { stdout: `made ${id}`, stderr: '', interrupted: false, isImage: false },
    },
  ];
}

/** The same call as the hook sends it. */
function hookOf(id: string, cwd: string): JsonObject {
  return {
    session_id: session,
    cwd,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: `make ${id}` },
    tool_response: { stdout: `made ${id}`, stderr: '', interrupted: false, isImage: false },
    tool_use_id: id,
  };
}

function linesOf(ids: string[], cwd: string): string {
  return ids
    .flatMap((id) => recordsOf(id, cwd))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}

/** Writes files below the folder where Claude Code keeps the project's transcripts. */
function writeTranscripts(home: Home, files: Readonly<Record<string, string | Buffer>>): string {
  const folder = path.join(home.home, '.claude', 'projects', home.project.replace(/[^a-zA-Z0-9]/g, '-'));
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** Three transcripts with seven finished calls, one of them twice, an open call, our own tool, and three bad lines. */
function mixed(home: Home): Readonly<Record<string, string | Buffer>> {
  const lines = (...ids: string[]) => linesOf(ids, home.project);
  const [begun] = recordsOf('call-open', home.project);
  const own = lines('call-own').replaceAll('"Bash"', '"mcp__memd__mem_search"');
  return {
    [`${session}.jsonl`]: `${lines('a1', 'a2')}not a record\n[1,2]\n${lines('a3')}${JSON.stringify(begun)}\n${own}{"half":`,
    [`${session}/subagents/agent-1.jsonl`]: lines('b1', 'b2', 'a1'),
    'older.jsonl.gz': gzipSync(lines('c1')),
    'notes.txt': 'no transcript',
    [`${session}/tool-results/long.json`]: '{"no":"transcript"}',
  };
}

const backfill = async (home: Home, ...args: string[]) => {
  const ran = await home.memd(['backfill', '--json', ...args]);
  expect(ran).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout);
};

describe('memd backfill', () => {
  test('reads every transcript of the project, subagents and .gz included, starts the daemon, and its numbers add up', async () => {
    const home = Home.open();
    writeTranscripts(home, mixed(home));
    expect(await backfill(home)).toEqual({
      scanned: 3,
      captured: 7,
      duplicates: 1,
      malformed: 3,
      unanswered: 1,
      ignored: 1,
      notes: [],
      unreadable: [],
      clients: { 'claude-code': { scanned: 3, captured: 7, duplicates: 1 } },
    });
    expect(home.daemons()).toEqual([home.pid()]);
    const stored = home.rows(
      'SELECT tool_use_id, ts, session_id, client, tool, status FROM events ORDER BY tool_use_id',
    );
    expect(stored.map(({ tool_use_id }) => tool_use_id)).toEqual([
      ...['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'call-open'],
    ]);
    expect(stored[0]).toEqual({
      tool_use_id: 'a1',
      ts: '2026-03-01T10:00:00.000Z',
      session_id: session,
      client: 'claude-code',
      tool: 'Bash',
      status: 'raw',
    });
  });

  test('the sessions that it imported have their digests at once: someone is about to look', async () => {
    const home = Home.open({ config: { drain: { tickMs: 86_400_000, fallback: 'builtin' } } });
    writeTranscripts(home, mixed(home));
    await backfill(home);
    await until('the digests', () => home.rows('SELECT session_id FROM digests').length > 0);
    // A drain that follows counts all that was imported.
    expect((await home.info()).counts).toMatchObject({ raw: 7, summaries: 0 });
  });

  test('a second run captures nothing', async () => {
    const home = Home.open();
    writeTranscripts(home, mixed(home));
    await backfill(home);
    expect(await backfill(home)).toMatchObject({ scanned: 3, captured: 0, duplicates: 8, malformed: 3 });
    expect((await home.info()).counts.events).toBe(7);
  });

  test('--dry-run shows what would be imported and stores nothing', async () => {
    const home = Home.open();
    writeTranscripts(home, mixed(home));
    expect(await backfill(home, '--dry-run')).toMatchObject({ scanned: 3, captured: 7, duplicates: 1 });
    expect((await home.info()).counts.events).toBe(0);
    await backfill(home);
    expect(await backfill(home, '--dry-run')).toMatchObject({ captured: 0, duplicates: 8 });
  });

  test('a call that was captured live is not stored again', async () => {
    const home = Home.open();
    writeTranscripts(home, { 'one.jsonl': linesOf(['live', 'missed'], home.project) });
    await home.start();
    expect(await home.hook(hookOf('live', home.project))).toMatchObject({ stdout: '{"ok":true}\n' });
    expect(await backfill(home)).toMatchObject({ captured: 1, duplicates: 1 });
    expect(await home.hook(hookOf('missed', home.project))).toMatchObject({ stdout: '{"ok":true}\n' });
    expect(await backfill(home)).toMatchObject({ captured: 0, duplicates: 2 });
    expect((await home.info()).counts.events).toBe(2);
  });

  test('a file that cannot be read is named with its reason, and the others are read', async () => {
    const home = Home.open();
    const folder = writeTranscripts(home, {
      'bad.jsonl.gz': gzipSync(linesOf(['lost'], home.project)).subarray(0, 40),
      'good.jsonl': linesOf(['kept'], home.project),
    });
    const result = await backfill(home);
    expect(result).toMatchObject({ scanned: 2, captured: 1 });
    expect(result.unreadable).toEqual([expect.stringContaining(path.join(folder, 'bad.jsonl.gz'))]);
    const again = await home.memd(['backfill']);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('bad.jsonl.gz');
  });

  test('--from reads another folder or one file; one that does not exist is refused', async () => {
    const home = Home.open();
    const folder = path.join(home.folder, 'old transcripts');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'one.jsonl'), linesOf(['x1'], '/elsewhere'));
    fs.writeFileSync(path.join(folder, 'two.jsonl'), linesOf(['x2'], '/elsewhere'));
    expect(await backfill(home, '--from', path.join(folder, 'one.jsonl'))).toMatchObject({
      scanned: 1,
      captured: 1,
    });
    expect(await backfill(home, '--from', '../old transcripts')).toMatchObject({
      scanned: 2,
      captured: 1,
      duplicates: 1,
    });
    const refused = await home.memd(['backfill', '--from', path.join(folder, 'gone')]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('does not exist');
  });

  test('no transcripts: scanned is 0, and that is no failure', async () => {
    const home = Home.open();
    expect(await backfill(home)).toMatchObject({ scanned: 0, captured: 0, malformed: 0 });
    expect((await home.memd(['backfill'])).stdout).toBe('No transcripts found for this project.\n');
  });

  test('secrets in a transcript are redacted on their way in', async () => {
    const home = Home.open();
    const secret = 'correct-horse-battery-7';
    const lines = linesOf(['s1'], home.project).replaceAll('make s1', `DB_PASSWORD=${secret} make s1`);
    writeTranscripts(home, { 'one.jsonl': lines });
    await backfill(home);
    const [row] = home.rows('SELECT payload_json FROM events');
    expect(row?.payload_json).toContain('DB_PASSWORD=<redacted:env>');
    expect(row?.payload_json).not.toContain(secret);
  });

  test('captures are answered while a long backfill runs, and two backfills at once store each call once', async () => {
    const home = Home.open();
    const ids = Array.from({ length: 3_000 }, (_, at) => `m${at}`);
    writeTranscripts(home, { 'long.jsonl': linesOf(ids, home.project) });
    await home.start();
    const both = Promise.all([home.memd(['backfill', '--json']), home.memd(['backfill', '--json'])]);
    const live = Array.from({ length: 20 }, (_, at) =>
      home.capture({ tool: 'Read', input: {}, output: `live ${at}` }),
    );
    expect(await Promise.all(live)).toHaveLength(20);
    const ran = await both;
    expect(ran.some(({ code }) => code === 0)).toBe(true);
    for (const { code, stderr } of ran)
      if (code !== 0) expect(stderr).toContain('another backfill is running');
    expect(home.rows("SELECT count(*) AS n FROM events WHERE tool_use_id LIKE 'm%'")).toEqual([{ n: 3_000 }]);
  });
});

describe('memd up', () => {
  test('does everything at once: init, start, backfill, drain; and again without harm', async () => {
    const home = Home.open({ config: null });
    writeTranscripts(home, mixed(home));
    for (const _ of [1, 2]) expect(await home.memd(['up'])).toMatchObject({ code: 0 });
    expect((await home.info()).counts).toMatchObject({ events: 7, raw: 0, summarized: 7, embeddings: 7 });
    const found = await home.mem(['search', 'make b2', '--json']);
    expect(JSON.parse(found.stdout).hits[0]).toMatchObject({ toolUseId: 'b2' });
  });
});
