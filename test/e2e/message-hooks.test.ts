import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { type Ran, run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const config = { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 };

function hook(home: Home, payload: JsonObject): Promise<Ran> {
  const input = JSON.stringify({ cwd: home.project, session_id: 's1', prompt_id: 'p1', ...payload });
  const args = [path.join(dist, 'capture-observation.cjs'), '--client', 'claude-code'];
  return run(process.execPath, args, { cwd: home.project, env: home.env(), input });
}

const prompt = (text: string): JsonObject => ({ hook_event_name: 'UserPromptSubmit', prompt: text });
const messages = (home: Home): unknown[] =>
  home
    .rows(
      "SELECT tool || ': ' || json_extract(payload_json, '$.output') AS said FROM events WHERE kind = 'message' ORDER BY seq",
    )
    .map(({ said }) => said);

test('a prompt and a reply are stored in silence, with what the transcript adds, each once', async () => {
  const home = Home.open({ config });
  await home.start();
  const file = path.join(home.project, 'session.jsonl');
  const record = { sessionId: 's1', timestamp: '2026-05-04T03:02:01Z' };
  const reply = (text: string) => ({
    ...record,
    type: 'assistant',
    message: { content: [{ type: 'text', text }] },
  });
  const records = [
    { ...record, type: 'user', promptId: 'p1', message: { content: 'Grind the rye.' } },
    reply('The stone is worn.'),
    reply('Ground.'),
  ];
  fs.writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const silent = { code: 0, signal: null, stdout: '', stderr: '' };
  expect(await hook(home, prompt('Grind the rye.'))).toEqual(silent);
  const stop = { hook_event_name: 'Stop', last_assistant_message: 'Ground.', transcript_path: file };
  expect(await hook(home, stop)).toEqual(silent);
  await until('the transcript', () => messages(home).length === 3);
  expect(messages(home)).toEqual(['Prompt: Grind the rye.', 'Reply: Ground.', 'Reply: The stone is worn.']);
});

test('what is wholly private is stored from no source', async () => {
  const home = Home.open({ config });
  await home.start();
  const text = ' <private>The vault is 4711.</private>\n<private>Or 4712.</private>';
  const silent = { code: 0, signal: null, stdout: '', stderr: '' };
  expect(await hook(home, prompt(text))).toEqual(silent);
  const file = path.join(home.project, 'session.jsonl');
  const record = { sessionId: 's1', timestamp: '2026-05-04T03:02:01Z', type: 'user', promptId: 'p1' };
  const records = [text, `Open it. ${text}`].map((content) => ({ ...record, message: { content } }));
  fs.writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await hook(home, { hook_event_name: 'Stop', last_assistant_message: text, transcript_path: file });
  await until('the transcript', () => messages(home).length > 0);
  await home.memd(['stop']);
  expect(await hook(home, prompt(text))).toEqual(silent);
  expect(fs.existsSync(home.workspace().spool)).toBe(false);
  await home.start();
  expect(messages(home)).toEqual([expect.stringMatching(/^Prompt: Open it\.\s+<redacted:private>/)]);
});

test('a prompt without a daemon waits in the spool, and with messages off nothing is kept', async () => {
  const home = Home.open({ config });
  await home.start();
  await home.memd(['stop']);
  const ran = await hook(home, prompt('Grind the rye.'));
  expect(ran).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('this message was queued'),
  });
  await home.start();
  await until('the spool', () => messages(home).length === 1);
  await home.memd(['stop']);

  const off = Home.open({ config: { ...config, 'capture.messages': false } });
  await off.start();
  expect(await hook(off, prompt('Grind the rye.'))).toMatchObject({ code: 0, stdout: '', stderr: '' });
  await off.memd(['stop']);
  await hook(off, prompt('Grind the wheat.'));
  await off.start();
  expect(messages(off)).toEqual([]);
});

test('a prompt is neither delayed nor lost by a daemon that hangs or was killed, and is stored once', async () => {
  const home = Home.open({ config: { ...config, captureObservationBudgetMs: 2_000 } });
  const queued = { code: 0, stdout: '', stderr: expect.stringContaining('this message was queued') };
  const hung = await home.start();
  process.kill(hung, 'SIGSTOP');
  expect(await hook(home, prompt('Grind the rye.'))).toMatchObject(queued);
  // The daemon reads the request now, and the spool at its end.
  process.kill(hung, 'SIGCONT');
  await until('the prompt', () => messages(home).length > 0);

  process.kill(hung, 'SIGKILL');
  expect(await hook(home, prompt('Grind the wheat.'))).toMatchObject(queued);
  await home.start();
  await until('the second prompt', () => messages(home).length > 1);
  expect(messages(home)).toEqual(['Prompt: Grind the rye.', 'Prompt: Grind the wheat.']);
  expect(fs.existsSync(home.workspace().spool)).toBe(false);
});

/** What `memd install claude-code` of the first release wrote. */
function firstRelease(): string {
  const group = (script: string, timeout: number, matcher?: string) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [
      {
        ...{ type: 'command', command: process.execPath, timeout },
        args: [path.join(dist, `${script}.cjs`), '--client', 'claude-code'],
      },
    ],
  });
  const hooks = {
    SessionStart: [group('session-start', 20)],
    PreToolUse: [group('boundary', 5, '^(?!(?:Read|Glob|Grep|LS)$)')],
    PostToolUse: [group('capture-observation', 5)],
    PostToolUseFailure: [group('recall', 5, 'Bash'), group('capture-observation', 5)],
    PreCompact: [group('session-pause', 3)],
    SessionEnd: [group('session-pause', 3)],
  };
  return JSON.stringify({ model: 'opus', hooks }, null, 2);
}

test('an installation of the first release is named by doctor', async () => {
  const home = Home.open({ config });
  await home.start();
  const settings = path.join(home.home, '.claude', 'settings.json');
  fs.mkdirSync(path.dirname(settings));
  fs.writeFileSync(settings, firstRelease());
  const findings = async () => (await home.memd(['doctor'])).stdout;
  expect(await findings()).toMatch(
    /lack the hooks for prompts and replies[\s\S]*Run `memd install claude-code --recall`/,
  );
  expect(await home.memd(['install', 'claude-code', '--recall'])).toMatchObject({ code: 0 });
  expect(await findings()).not.toContain('lack the hooks');
  expect(JSON.parse(fs.readFileSync(settings, 'utf8'))).toMatchObject({
    model: 'opus',
    hooks: { UserPromptSubmit: [{}], Stop: [{}], SubagentStop: [{}], PostCompact: [{}] },
  });
});
