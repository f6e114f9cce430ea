import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { toolResult } from '../support/mcp/client.ts';
import { closeServers, connect } from '../support/mcp-server.ts';

afterEach(async () => {
  await closeServers();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

const open = (config = {}): Home =>
  Home.open({ name: 'my home', config: { 'drain.fallback': 'builtin', ...config } });

const secret = ['sk', 'live', '51H8xq2eZvKYlo2C0aBcDeFgH'].join('_');

/** A memory whose daemon does not run. */
async function begun(home: Home): Promise<void> {
  await home.start();
  await home.memd(['stop']);
}

async function found(home: Home, query: string, ...more: readonly string[]) {
  const { stdout } = await home.mem(['search', query, ...more, '--json']);
  return JSON.parse(stdout).hits;
}

/** What a session gets at its start. */
async function outline(home: Home): Promise<string> {
  const { stdout } = await home.memd(['hook', 'session-start'], {
    input: JSON.stringify({ session_id: 'new', source: 'startup', hook_event_name: 'SessionStart' }),
  });
  return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

describe('mem remember', () => {
  test('stores what the user says, redacted, and finds it in the next search', async () => {
    const home = open();
    await home.start();
    const noted = await home.mem(['remember', 'we', 'deploy on Tuesdays', '--file', 'ops/deploy.md']);
    expect(noted).toMatchObject({ code: 0, stdout: 'Noted as #1.\n', stderr: '' });
    await home.mem(['remember', `the key of the till is ${secret}`]);
    const text = 'Note by the user: we deploy on Tuesdays Files: ops/deploy.md';
    expect(await found(home, 'when do we deploy')).toMatchObject([
      { id: 1, kind: 'message', role: 'user', tool: 'Note', text },
    ]);
    expect(await found(home, 'deploy', '--file', 'deploy.md')).toMatchObject([{ id: 1 }]);
    expect((await home.mem(['search', 'deploy'])).stdout).toContain('#1 · note by the user');
    expect((await home.mem(['show', '1'])).stdout).toContain('#1 · Note by the user');
    // A note belongs to no session.
    expect(JSON.parse((await home.mem(['sessions', '--json'])).stdout)).toEqual({ sessions: [] });
    expect(fs.readFileSync(home.workspace().database, 'latin1')).not.toContain(secret);
    expect(
      home.rows('SELECT kind, role, tool, session_id FROM events WHERE tool_use_id IS NOT NULL'),
    ).toEqual([
      { kind: 'message', role: 'user', tool: 'Note', session_id: '' },
      { kind: 'message', role: 'user', tool: 'Note', session_id: '' },
    ]);
  });

  test.each([
    ['a command in it', '/deploy runs every Tuesday'],
    ['a frame of a client', '<system-reminder>Tuesday is the day</system-reminder>'],
    ['two lines, quotes and another script', 'първо "архив"\nthen Tuesday’s deploy 🚢'],
  ])('keeps %s as it was said', async (_what, text) => {
    const home = open();
    await home.start();
    expect(await home.mem(['remember', text])).toMatchObject({ code: 0 });
    const [row] = home.rows("SELECT payload_json ->> '$.output' AS said FROM events");
    expect(row?.said).toBe(text);
  });

  test('a pinned note is in the outline of the next session, and goes when it is forgotten', async () => {
    const home = open();
    await home.start();
    await home.mem(['remember', '--pin', 'ask before the schema changes']);
    await home.mem(['remember', 'this one is not pinned']);
    const shown = await outline(home);
    expect(shown).toContain('Note by the user: ask before the schema changes');
    expect(shown).not.toContain('this one is not pinned');
    expect((await home.mem(['forget', '1'])).code).toBe(0);
    expect(await outline(home)).not.toContain('schema changes');
    expect(fs.readFileSync(home.workspace().database, 'latin1')).not.toContain('schema changes');
  });

  test('waits in the spool while no daemon runs, redacted, and is stored once by the next', async () => {
    const home = open({ 'drain.tickMs': 100 });
    await begun(home);
    const noted = await home.mem(['remember', `the till takes ${secret}`, '--json']);
    expect(JSON.parse(noted.stdout)).toMatchObject({ ok: true, id: null, queued: true });
    expect(fs.readFileSync(home.workspace().spool, 'utf8')).not.toContain(secret);
    await home.start();
    expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
    expect(await found(home, 'what does the till take')).toMatchObject([{ tool: 'Note' }]);
    expect(home.rows('SELECT count(*) AS n FROM events')).toEqual([{ n: 1 }]);
  });

  test('says when it is not kept', async () => {
    const off = open({ captureSpool: false });
    await begun(off);
    const away = await off.mem(['remember', 'tides']);
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('captureSpool is off') });
    const silent = open({ 'capture.messages': false });
    await silent.start();
    const ignored = await silent.mem(['remember', 'tides']);
    expect(ignored).toMatchObject({ code: 1, stderr: expect.stringContaining('capture.messages is false') });
    expect(await silent.mem(['remember', ' '])).toMatchObject({ code: 2 });
    expect(await silent.mem(['remember'])).toMatchObject({ code: 2 });
  });

  test.each([
    ['claude-code', 's1', { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's1' }],
    ['gemini-cli', '', { GEMINI_CLI: '1' }],
    ['codex', 's1', { CODEX_THREAD_ID: 's1' }],
    ['qwen-code', 's1', { QWEN_CODE: '1', QWEN_CODE_SESSION_ID: 's1' }],
  ])(
    'in the shell of %s it is the note of that assistant, in its session, and not pinned',
    async (name, session, env) => {
      const home = open();
      await home.start();
      const { stderr } = await home.mem(['remember', '--pin', 'tides come twice'], { env: home.env(env) });
      expect(home.rows('SELECT session_id AS session FROM events')).toEqual([{ session }]);
      expect(stderr).toContain(`${name} runs this`);
      expect(await found(home, 'tides')).toMatchObject([
        { role: 'assistant', pinned: false, text: `Note by ${name}: tides come twice` },
      ]);
    },
  );

  test('from the shell of another project makes no session here, and is found', async () => {
    const home = open();
    await home.start();
    await home.capture({ tool: 'Bash', sessionId: 'here', input: { command: 'ls' }, output: 'a' });
    const env = home.env({ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'elsewhere' });
    expect(await home.mem(['remember', 'tides come twice'], { env })).toMatchObject({ code: 0 });
    const sessions = JSON.parse((await home.mem(['sessions', '--json'])).stdout);
    expect(sessions.sessions).toMatchObject([{ sessionId: 'here' }]);
    expect(await found(home, 'tides')).toMatchObject([{ sessionId: 'elsewhere' }]);
  });

  test('goes with an export and comes back with an import', async () => {
    const home = open();
    await home.start();
    await home.mem(['remember', '--pin', 'berth 4 is for the pilot']);
    const file = path.join(home.folder, 'memory.ndjson');
    expect((await home.mem(['export', file])).code).toBe(0);
    const other = open();
    await other.start();
    expect(await other.mem(['import', file])).toMatchObject({ code: 0 });
    expect(await found(other, 'who has berth 4')).toMatchObject([
      { tool: 'Note', role: 'user', pinned: true, text: 'Note by the user: berth 4 is for the pilot' },
    ]);
  });
});

/** What the real clients send and set, recorded with the versions of test/client/support/versions.json. */
const initialized = {
  codex: { name: 'codex-mcp-client', meta: (sessionId: string) => ({ sessionId }) },
  'gemini-cli': { name: 'gemini-cli-mcp-client' },
  'qwen-code': { name: 'qwen-cli-mcp-client-memd', variable: 'QWEN_CODE_SESSION_ID' },
  opencode: { name: 'opencode' },
  kilo: { name: 'kilo' },
  pi: { name: 'pi' },
  cline: { name: 'cline' },
};
/** Those of revision 2026-07-28, which name themselves in each request. */
const modern = {
  'claude-code': { name: 'claude-code', variable: 'CLAUDE_CODE_SESSION_ID' },
  'copilot-cli': { name: 'copilot-cli', variable: 'COPILOT_AGENT_SESSION_ID' },
};
type Sends = { readonly name: string; readonly variable?: string; readonly meta?: (id: string) => object };
const clients: Readonly<Record<string, Sends>> = { ...initialized, ...modern };

const say = (home: Home, client: string, sessionId: string, text: string, role = 'user') =>
  home.capture({ kind: 'message', role, text, client, sessionId, messageId: `${sessionId}:${text}` });

/** Has `client`, which runs in `sessionId`, note a text; answers the event. */
async function note(home: Home, client: string, sessionId: string, text = 'tides come twice') {
  const { name, variable, meta } = clients[client] ?? { name: client };
  const env = variable === undefined ? {} : { [variable]: sessionId };
  const server = connect(home, { env }).client;
  if (!(client in modern)) await server.initialize('2025-06-18', name);
  const call = { name: 'mem_remember', arguments: { text } };
  const _meta: JsonObject = {
    ...meta?.(sessionId),
    ...(client in modern && {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    }),
  };
  expect(toolResult(await server.request('tools/call', { ...call, _meta }))).toMatchObject({
    isError: false,
  });
  await home.memd(['drain']);
  return home.rows("SELECT client, session_id AS session FROM events WHERE tool = 'Note'").at(-1);
}

describe("an assistant's note and its session", () => {
  test.each(Object.keys(clients))('%s is known by name, and its note is in its session', async (client) => {
    const home = open();
    await home.start();
    await say(home, 'generic', 'another', 'who is there');
    await say(home, client, 'session-of-it', 'remember the tides');
    expect(await note(home, client, 'session-of-it')).toEqual({ client, session: 'session-of-it' });
  });

  test('log and handoff of the session have it as a claim, which is no outcome', async () => {
    const home = open();
    await home.start();
    await say(home, 'codex', 'harbour', 'Paint the harbour crane.');
    await say(home, 'codex', 'harbour', 'The crane has two coats of oxide now.', 'assistant');
    await note(home, 'codex', 'harbour');
    const { stdout: log } = await home.mem(['log', 'harbour']);
    expect(log).toContain('Note by codex: tides come twice');
    const { stdout: handoff } = await home.mem(['handoff', 'harbour']);
    expect(handoff).toMatch(/Outcome:\n[^\n]*two coats of oxide/);
    expect(handoff).toMatch(/Noted:\n[^\n]*Note by codex: tides come twice/);
  });

  test('where two sessions are at work it is in the newest by the name of the client, else in none', async () => {
    const home = open();
    await home.start();
    for (const client of ['claude-code', 'gemini-cli']) {
      await say(home, client, `${client}-1`, 'the older');
      await say(home, client, `${client}-2`, 'the newer');
    }
    expect(await note(home, 'claude-code', 'claude-code-2')).toMatchObject({ session: 'claude-code-2' });
    // After `/clear` its server has the id of the session before.
    expect(await note(home, 'claude-code', 'claude-code-1')).toMatchObject({ session: '' });
    expect(await note(home, 'gemini-cli', 'gemini-cli-2')).toMatchObject({ session: '' });
  });

  test.each(['claude-ai', 'vapi', 'a test'])('%s is no known assistant', async (client) => {
    const home = open();
    await home.start();
    await say(home, 'claude-code', 'open', 'go on');
    await say(home, 'unknown', 'of another', 'go on');
    expect(await note(home, client, 'open')).toEqual({ client: 'unknown', session: '' });
  });
});

describe('mem_remember', () => {
  test("adds a note in the assistant's name, which the outline never begins with", async () => {
    const home = open();
    await home.start();
    await home.mem(['remember', '--pin', 'the older note of the user']);
    const { client } = connect(home);
    await client.initialize();
    const text = 'The ferry sails at seven.';
    const noted = await client.call('mem_remember', { text, files: ['src/ferry.ts'] });
    expect(noted).toMatchObject({ isError: false });
    expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
    const [hit] = await found(home, 'when does the ferry sail');
    expect(hit).toMatchObject({ role: 'assistant', tool: 'Note', pinned: false });
    expect(hit.text).toMatch(/^Note by [\w ]+: The ferry sails at seven\. Files: src\/ferry\.ts$/);
    await home.mem(['pin', String(hit.id)]);
    expect(await outline(home)).toMatch(/Pinned:\n[^\n]*older note of the user\n[^\n]*The ferry sails/);
    const listed = await client.call('mem_search', { query: 'ferry' });
    expect(listed.text).toContain('note by the assistant');
    expect(await client.call('mem_remember', { text: '  ' })).toMatchObject({ isError: true });
  });

  test('starts the daemon of a memory that is there, and begins none', async () => {
    const home = open();
    await home.start();
    await home.memd(['stop']);
    const { client } = connect(home);
    await client.initialize();
    expect(await client.call('mem_remember', { text: 'said while away' })).toMatchObject({ isError: false });
    // Acknowledged is in the log; a stop commits it.
    await home.memd(['stop']);
    expect(home.rows('SELECT tool FROM events')).toEqual([{ tool: 'Note' }]);
    const empty = open();
    const stranger = connect(empty).client;
    await stranger.initialize();
    expect(await stranger.call('mem_remember', { text: 'nobody asked' })).toMatchObject({ isError: true });
    expect(fs.existsSync(empty.workspace().folder)).toBe(false);
  });

  test('is not offered when mcp.remember is false', async () => {
    const home = open({ 'mcp.remember': false });
    const { client } = connect(home);
    await client.initialize();
    const { result } = await client.request('tools/list');
    expect(JSON.stringify(result)).toContain('mem_search');
    expect(JSON.stringify(result)).not.toContain('mem_remember');
  });
});
