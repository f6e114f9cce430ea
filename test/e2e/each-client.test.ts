import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { clientNames } from '#assistants/table';
import { adapt } from '#capture/clients';
import { endNoticeTool, isObject, type Json, type JsonObject, parseObject } from '#core/event';
import { ensureFolders } from '#core/workspace';
import { plannedCall } from '#guard/writes';
import { denied, kindsOf, paused, said, started, stored } from '../support/client-expectations.ts';
import {
  type ClientPayload,
  clientPayloads,
  oneAnEvent,
  sentFrom,
  withOneOther,
} from '../support/client-payloads.ts';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { preToolShapes } from '../support/pre-tool-payloads.ts';
import { type Ran, run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/** Every payload through every hook as a process of its own, when the environment asks for it; else one a (client, event), or fewer. */
const isWhole = process.env.MEMD_FUZZ_RUNS !== undefined;

const silence = { code: 0, signal: null, stdout: '', stderr: '' };

/** Runs a hook with each payload, a few at a time. Answers what came of it by the payload's name. */
async function runEach(
  home: Home,
  payloads: readonly ClientPayload[],
  script: string,
  args: (payload: ClientPayload) => readonly string[] = ({ client }) => ['--client', client],
): Promise<Map<string, Ran>> {
  const ran = new Map<string, Ran>();
  const waiting = [...payloads];
  const worker = async (): Promise<void> => {
    for (let payload = waiting.shift(); payload !== undefined; payload = waiting.shift()) {
      const command = [path.join(dist, script), ...args(payload)];
      const options = { cwd: home.project, env: home.env(), input: sentFrom(home.project, payload) };
      ran.set(payload.name, await run(process.execPath, command, options));
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return ran;
}

const recorded =
  process.env.MEMD_FIXTURES ?? fileURLToPath(new URL('../../../shared/fixtures', import.meta.url));

/** Recorded since then, from a session of the real client (`folder/event`). */
const recordedLater: ReadonlySet<string> = new Set(['qwen-code/StopFailure']);

describe.runIf(fs.existsSync(recorded))(
  'the payloads here have the keys and types of the recorded ones',
  () => {
    const folders = [...new Set(clientPayloads.map(({ folder }) => folder))].filter(
      (name) =>
        name !== 'cursor' && fs.existsSync(path.join(recorded, 'hook-payloads', name.replace('-pascal', ''))),
    );
    test.each(folders)('%s', (folder) => {
      const own = clientPayloads.filter((one) => one.folder === folder);
      const ours = own.filter(({ event }) => !recordedLater.has(`${folder}/${event}`));
      const ownKinds = kindsOf(ours.map(({ event, payload }) => [event, payload]));
      expect(ownKinds).toEqual(kindsOf(recordedOf(folder)));
    });
  },
);

/** Events and payloads as they were recorded, from hooks and, of the same shape, from posts to an address. */
function recordedOf(folder: string): [string, JsonObject][] {
  const hooks = path.join(recorded, 'hook-payloads');
  const pascal = folder.endsWith('-pascal');
  const from = path.join(hooks, folder.replace('-pascal', ''));
  const files = fs.readdirSync(from).filter((file) => file.startsWith('PASCAL-') === pascal);
  const fromHooks = files.map((file): [string, JsonObject] => {
    const name = file.replace(/\.json$|^plugin-|^PASCAL-/g, '');
    const event = name.startsWith('chat.') ? name : (name.split('-')[0] ?? name);
    return [event, JSON.parse(fs.readFileSync(path.join(from, file), 'utf8'))];
  });
  const posted = path.join(
    hooks,
    'http',
    `${folder.replace('-code', folder === 'qwen-code' ? '' : '-code')}-posttooluse-http.jsonl`,
  );
  if (!fs.existsSync(posted)) return fromHooks;
  const lines = fs.readFileSync(posted, 'utf8').trim().split('\n');
  return [...fromHooks, ...lines.map((line): [string, JsonObject] => ['PostToolUse', JSON.parse(line).body])];
}

test('capture stores every finished call and message of every client as what it was, and is silent about the rest', async () => {
  const home = Home.open();
  await home.start();
  const payloads = isWhole ? clientPayloads : oneAnEvent;
  const ran = await runEach(home, payloads, 'capture-observation.cjs');
  for (const { name } of payloads) {
    const expected = stored.has(name) ? { ...silence, stdout: '{"ok":true}\n' } : silence;
    expect({ name, ...ran.get(name) }).toEqual({ name, ...expected });
  }
  // What the hook sends, without the hook.
  for (const one of clientPayloads.filter(({ name }) => !ran.has(name))) {
    const payload = JSON.parse(sentFrom(home.project, one));
    const asked = { op: 'capture', payload, receivedAt: new Date().toISOString(), cwd: home.project };
    const { ok, id } = await home.ask({ ...asked, client: one.client });
    expect({ ...one, ok, isStored: id !== null }).toEqual({
      ...one,
      ok: true,
      isStored: stored.has(one.name) || said.has(one.name),
    });
  }
  // An acknowledged call is only logged; the op commits what waits.
  await home.ask({ op: 'recent' });
  const rows = home.rows(
    `SELECT json_extract(payload_json, '$.client') AS client, tool, is_error, session_id, tool_use_id,
      json_extract(payload_json, '$.cwd') AS cwd FROM events WHERE kind = 'call'`,
  );
  const found = rows.map((row) => Object.values(row).join(' ')).sort();
  expect(found).toEqual([...stored.values()].map((one) => `${one} ${home.project}`).sort());
  const messages = home.rows(
    `SELECT concat_ws(' ', json_extract(payload_json, '$.client'), tool, session_id, turn_id,
      json_extract(payload_json, '$.message.agentId')) AS line FROM events WHERE kind = 'message'`,
  );
  expect(messages.map(({ line }) => String(line)).sort()).toEqual([...said.values()].sort());
  const info = await home.info();
  const ignored = clientPayloads.length - stored.size - said.size;
  expect(info.counters).toMatchObject({ refused: 0, ignored });
});

test('what no client should send is kept all the same', async () => {
  const home = Home.open();
  await home.start();
  const call = { hook_event_name: 'PostToolUse', session_id: 's', tool_name: 'Bash', tool_response: 'y' };
  const text = (more: object): string => JSON.stringify({ ...call, ...more });
  const inputs = [
    Buffer.concat([
      Buffer.from(text({}).slice(0, -3)),
      Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]),
    `\uFEFF${text({ tool_use_id: 'mark' })}`,
    `${text({ tool_use_id: 'more' })}\n\n `,
    JSON.stringify({ Hook_Event_Name: 'PostToolUse', Tool_Name: 'Bash', Tool_Response: 'y' }),
    text({ tool_input: 'make', tool_use_id: 'text' }),
    text({ tool_input: ['make'], tool_use_id: 'list' }),
    text({ tool_input: null, session_id: undefined, tool_use_id: 7 }),
    text({ timestamp: -5, cwd: '/nowhere', tool_use_id: 'before' }),
    text({ timestamp: 1e300, session_id: 7, tool_use_id: '\ud800' }),
    '{"__proto__":{"tool_name":"x"},"constructor":{},"hook_event_name":"PostToolUse","tool_name":"Bash"}',
  ];
  for (const input of inputs) {
    expect(await home.hook(input)).toEqual({ ...silence, stdout: '{"ok":true}\n' });
  }
  const { counts } = await home.info();
  expect(counts).toMatchObject({ events: inputs.length });
  const times = home.rows('SELECT ts FROM events').map(({ ts }) => Date.parse(String(ts)));
  expect(times.every((time) => Math.abs(Date.now() - time) < 3_600_000)).toBe(true);
});

test('a hook that was installed for nobody, or for another client, sends the same call', () => {
  const context = { receivedAt: '2026-05-04T03:02:02Z', cwd: '/elsewhere' };
  // Kilo's are OpenCode's where nobody is named.
  for (const { name, client, payload } of clientPayloads.filter((one) => one.folder !== 'kilo')) {
    const right = adapt(payload, { ...context, client });
    expect({ name, adapted: adapt(payload, context) }).toEqual({ name, adapted: right });
    // Only its own client knows the form in which work in the background ends.
    if (right.kind === 'observation' && right.observation.tool === endNoticeTool) continue;
    for (const other of clientNames) {
      const wrong = adapt(payload, { ...context, client: other });
      expect({ name, other, kind: wrong.kind }).toEqual({ name, other, kind: right.kind });
      if (wrong.kind !== 'observation' || right.kind !== 'observation') continue;
      // Copilot CLI has one tool under two names, and is taken at its word.
      const tool = expect.stringMatching(new RegExp(`^${right.observation.tool}$`, 'i'));
      const { sessionId, isError, ts } = right.observation;
      expect({ name, other, ...wrong.observation }).toMatchObject({
        name,
        other,
        tool,
        sessionId,
        isError,
        ts,
      });
    }
  }
});

describe('the boundary', () => {
  const rules = '{"allow": ["**"], "deny": ["sluice.txt", "wheel.txt", "flour.txt"]}';
  const some = isWhole ? clientPayloads : withOneOther(isDenied);
  test.each<[string, readonly ClientPayload[], (payload: ClientPayload) => readonly string[]]>([
    ['its client', some, ({ client }) => ['--client', client]],
    ['nobody', isWhole ? clientPayloads : clientPayloads.filter(isDenied), () => []],
  ])('denies in the client’s own form, else it is silent (installed for %s)', async (_, payloads, args) => {
    const home = Home.open();
    fs.mkdirSync(path.join(home.project, '.memd'));
    fs.writeFileSync(path.join(home.project, '.memd/scope.json'), rules);
    const ran = await runEach(home, payloads, 'boundary.cjs', args);
    for (const { name, client } of payloads) {
      const { stdout = '', stderr = '', ...rest } = ran.get(name) ?? {};
      expect({ name, ...rest }).toEqual({ name, code: 0, signal: null });
      if (!denied.has(name)) expect({ name, stdout, stderr }).toEqual({ name, stdout: '', stderr: '' });
      else
        expect({ name, reason: reasonOf(client, stdout) }).toEqual({
          name,
          reason: expect.stringMatching(/\.txt/),
        });
    }
  });

  test('sees a call in every event before one, and in no other', () => {
    const before = /^(?:preToolUse|PreToolUse|BeforeTool|before|beforeShellExecution|beforeMCPExecution)$/;
    for (const { name, client, event, payload } of clientPayloads) {
      const isCall = plannedCall(payload, client) !== null;
      expect({ name, isCall }).toEqual({ name, isCall: before.test(event) });
    }
  });

  test('installed for another client it sees the same call', () => {
    for (const { name, client, payload } of clientPayloads) {
      const right = plannedCall(payload, client);
      for (const other of clientNames) {
        const wrong = plannedCall(payload, other);
        expect({ name, other, call: wrong && { ...wrong, form: null } }).toEqual({
          ...{ name, other, call: right && { ...right, form: null } },
        });
      }
    }
  });
});

function isDenied({ name }: ClientPayload): boolean {
  return denied.has(name);
}

function reasonOf(client: string, stdout: string): unknown {
  const shape = preToolShapes.find((one) => one.client === client);
  return shape?.reason(parseObject(stdout) ?? {}, '') ?? stdout;
}

test('the guard denies calls in the client’s own form, and is silent about every other event', async () => {
  const home = Home.open();
  const isCall = ({ payload, client }: ClientPayload) => plannedCall(payload, client) !== null;
  const payloads = isWhole ? clientPayloads : withOneOther((one) => isCall(one) && oneAnEvent.includes(one));
  const ran = await runEach(home, payloads, 'guard.cjs', ({ client }) => [
    '--client',
    client,
    '--mode',
    'block',
  ]);
  for (const one of payloads) {
    const { name, client } = one;
    const { code, stdout = '' } = ran.get(name) ?? {};
    expect({ name, code }).toEqual({ name, code: 0 });
    if (isCall(one))
      expect({ name, reason: reasonOf(client, stdout) }).toEqual({
        name,
        reason: expect.stringMatching(/memd start/),
      });
    else expect({ name, stdout }).toEqual({ name, stdout: '' });
  }
});

test('session-start gives the outline to sessions that begin, and nothing to any other event', async () => {
  const home = await remembering();
  const payloads = isWhole
    ? oneAnEvent
    : withOneOther((one) => started.has(one.name) && oneAnEvent.includes(one));
  const ran = await runEach(home, payloads, 'session-start.cjs');
  for (const { name, folder } of payloads) {
    const { stdout = '', ...rest } = ran.get(name) ?? {};
    expect({ name, ...rest }).toEqual({ name, code: 0, signal: null, stderr: '' });
    const answer = parseObject(stdout) ?? {};
    const { hookSpecificOutput: specific } = answer;
    const named = isObject(specific) ? specific.additionalContext : undefined;
    const isCamel = folder === 'copilot-cli' || folder === 'cursor';
    const context = started.has(name) ? expect.stringMatching(/#1 /) : undefined;
    expect({ name, context: isCamel ? answer.additionalContext : named }).toEqual({
      name,
      context,
    });
    if (!started.has(name)) expect({ name, stdout }).toEqual({ name, stdout: '' });
  }
  await home.oneDaemon();
});

test('session-pause reports every pause to the daemon, by its session, and nothing else', async () => {
  const home = Home.open();
  ensureFolders(home.workspace());
  fs.writeFileSync(home.workspace().rootRecord, home.project);
  const asked: Json[] = [];
  const daemon = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => asked.push(JSON.parse(chunk.toString('utf8'))));
  });
  await new Promise<void>((resolve) => void daemon.listen(home.workspace().socket, resolve));
  fs.chmodSync(home.workspace().socket, 0o600);
  const payloads = isWhole ? clientPayloads : withOneOther(({ name }) => paused.has(name));
  const ran = await runEach(home, payloads, 'session-pause.cjs');
  for (const { name } of payloads) expect({ name, ...ran.get(name) }).toEqual({ name, ...silence });
  await until('every request', () => asked.length >= paused.size);
  const transcriptOf = new Map(clientPayloads.map(({ name, payload }) => [name, payload.transcript_path]));
  const due = [...paused].map(([name, session]) =>
    JSON.stringify({
      ...{ op: 'rest', session, compacts: /compact|compress/i.test(name) },
      transcript: transcriptOf.get(name),
    }),
  );
  expect(asked.map((one) => JSON.stringify(one)).sort()).toEqual(due.sort());
  daemon.close();
});

/** A home with a daemon and one pinned memory. */
async function remembering(): Promise<Home> {
  const home = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  await home.capture({ tool: 'Read', input: { file_path: 'wheel.txt' }, output: 'elm', toolUseId: 'c' });
  await home.ask({ op: 'drain' });
  await home.ask({ op: 'pin', id: 1 });
  return home;
}
