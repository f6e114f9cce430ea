import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  claudeHooks,
  codexHooks,
  copilotHooks,
  cursorHooks,
  geminiHooks,
  opencodeHooks,
  qwenHooks,
} from '../support/clients/hooks.ts';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const captured = { code: 0, stdout: '{"ok":true}\n', stderr: '' };
const plain = { tool: 'Read', input: { file_path: 'notes.txt' }, output: 'some notes' };

/** The events with their payloads, once there are `count` of them. */
async function events(home: Home, count: number) {
  const rows = await until(`${count} events in the database`, () => {
    const found = home.rows(
      'SELECT tool, client, is_error, tool_use_id, payload_json FROM events ORDER BY seq',
    );
    return found.length >= count ? found : null;
  });
  return rows.map((row) => ({ row, payload: JSON.parse(String(row.payload_json)) }));
}

describe('what the hook takes', () => {
  test('the plain shape: stdout is exactly {"ok":true} and counts.events goes up by one', async () => {
    const home = Home.open();
    await home.start();
    expect(await home.hook(plain)).toEqual({ ...captured, signal: null });
    await until('the event in the counts', async () => (await home.info()).counts.events === 1);
    expect((await home.info()).counts).toMatchObject({ events: 1, raw: 1 });
    expect((await events(home, 1))[0]?.payload).toMatchObject(plain);
  });

  test('the payloads of every client become events under its name', async () => {
    const home = Home.open();
    await home.start();
    const sent = [
      { payload: claudeHooks.bash, client: 'claude-code', tool: 'Bash', failed: 0 },
      { payload: claudeHooks.bashFailed, client: 'claude-code', tool: 'Bash', failed: 1 },
      { payload: codexHooks.bash, client: 'codex', tool: 'Bash', failed: 0 },
      { payload: geminiHooks.replace, client: 'gemini-cli', tool: 'replace', failed: 0 },
      { payload: geminiHooks.failed, client: 'gemini-cli', tool: 'read_file', failed: 1 },
      { payload: qwenHooks.shellFailed, client: 'qwen-code', tool: 'run_shell_command', failed: 1 },
      { payload: copilotHooks.bashFailed, client: 'copilot-cli', tool: 'bash', failed: 1 },
      { payload: opencodeHooks.edit, client: 'opencode', tool: 'edit', failed: 0 },
      { payload: cursorHooks.use, client: 'cursor', tool: 'Read', failed: 0 },
    ];
    for (const { payload } of sent) expect(await home.hook(payload)).toMatchObject(captured);
    const rows = await events(home, sent.length);
    expect(rows.map(({ row }) => ({ client: row.client, tool: row.tool, failed: row.is_error }))).toEqual(
      sent.map(({ client, tool, failed }) => ({ client, tool, failed })),
    );
    expect(rows.map(({ payload }) => payload.isError)).toEqual(sent.map(({ failed }) => failed === 1));
  });

  test('the same tool_use_id sent twice is one event, and both are acknowledged', async () => {
    const home = Home.open();
    await home.start();
    expect(await home.hook(claudeHooks.bash)).toMatchObject(captured);
    expect(await home.hook(claudeHooks.bash)).toMatchObject(captured);
    // What comes later is stored later: once it is there, the repeat has been through as well.
    await home.hook(claudeHooks.edit);
    expect((await events(home, 2)).map(({ row }) => row.tool_use_id)).toEqual(['toolu_a1', 'toolu_a3']);
  });

  test('an Edit keeps its change and not the whole file', async () => {
    const home = Home.open();
    await home.start();
    await home.hook(claudeHooks.edit);
    const [edit] = await events(home, 1);
    expect(edit?.row.payload_json).toContain('elm');
    expect(edit?.row.payload_json).not.toContain('originalFile');
  });

  test.each([
    ['its own tools', { ...claudeHooks.bash, tool_name: 'mcp__memd__mem_search' }],
    ['notifications', { session_id: 's', hook_event_name: 'Notification', message: 'hello' }],
    ['calls that have not been made yet', { ...claudeHooks.bash, hook_event_name: 'PreToolUse' }],
  ])('%s are ignored: exit 0 and not a word', async (_what, payload) => {
    const home = Home.open();
    await home.start();
    expect(await home.hook(payload)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    await home.hook(plain);
    expect((await events(home, 1)).map(({ row }) => row.tool)).toEqual(['Read']);
  });

  test('a shape that nobody knows is kept whole', async () => {
    const home = Home.open();
    await home.start();
    const strange = { zebra: { stripes: [1, 2, { deep: 'yes' }] }, done: true };
    expect(await home.hook(strange)).toMatchObject(captured);
    const [event] = await events(home, 1);
    expect(event).toMatchObject({ row: { client: 'unknown' }, payload: { output: strange } });
  });

  test('text of any script, and what is no text, comes back as it went in', async () => {
    const home = Home.open();
    await home.start();
    const output = 'größer 記憶 🧠 \u0000 \ud83d \n\t"quoted" \\ \u2028';
    await home.hook({ tool: 'Read', input: { __proto__x: 1, list: [null, true, 1.5] }, output });
    const [event] = await events(home, 1);
    expect(event?.payload).toMatchObject({ input: { __proto__x: 1, list: [null, true, 1.5] } });
    expect(event?.payload.output.replace('\ufffd', '\ud83d')).toBe(output);
  });

  test('a text of 3 MB is kept with its beginning and end, and says what was cut', async () => {
    const home = Home.open();
    await home.start();
    const output = `begin-mark ${'lorem ipsum '.repeat(250_000)} end-mark`;
    expect(await home.hook({ tool: 'Bash', input: { command: 'cat' }, output })).toMatchObject(captured);
    const [event] = await events(home, 1);
    expect(event?.payload.output).toMatch(
      /^begin-mark [\s\S]*\[\.\.\. \d+ characters cut by memd \.\.\.\][\s\S]* end-mark$/,
    );
  });
});

describe('secrets', () => {
  const secrets = {
    env: 'hunter2-hunter2-hunter2',
    aws: 'AKIAQ7EXAMPLE4TESTS9',
    github: `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`,
    url: 'sup3rs3cretpassw0rd',
    bearer: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    private: 'do not remember this sentence',
    key: 'k3yAsObjectName-9f8e7d6c5b4a39281706f5e4',
  };

  /** The files below `folder` whose bytes hold one of `needles`. */
  function holding(folder: string, needles: readonly string[]): string[] {
    const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
    return files.flatMap((name) => {
      const bytes = fs.readFileSync(path.join(folder, name));
      return needles.filter((needle) => bytes.includes(needle)).map((needle) => `${name}: ${needle}`);
    });
  }

  test('no byte of a secret reaches a file below HOME, a summary, or a reply', async () => {
    const home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' } });
    await home.start();
    const payload = {
      tool: 'Bash',
      input: {
        command: `DATABASE_PASSWORD=${secrets.env} AWS_ACCESS_KEY_ID=${secrets.aws} ./deploy.sh`,
        header: `Authorization: Bearer ${secrets.bearer}`,
        [`API_TOKEN=${secrets.key}`]: 'yes',
      },
      output: `cloned https://ada:${secrets.url}@example.org/mill.git with ${secrets.github}
<private>${secrets.private}</private>`,
    };
    expect(await home.hook(payload)).toMatchObject(captured);
    await events(home, 1);
    expect(await home.memd(['drain'])).toMatchObject({ code: 0, stdout: '{"processed":1}\n' });
    const replies = [
      await home.ask({ op: 'search', query: `deploy ${secrets.env} mill` }),
      await home.ask({ op: 'get', ids: [1] }),
      await home.ask({ op: 'recent' }),
    ];
    const needles = Object.values(secrets);
    expect(holding(home.home, needles)).toEqual([]);
    expect(needles.filter((needle) => JSON.stringify(replies).includes(needle))).toEqual([]);
    await home.memd(['stop']);
    expect(holding(home.home, needles)).toEqual([]);
    const [row] = home.rows('SELECT payload_json FROM events');
    expect(row?.payload_json).toContain('DATABASE_PASSWORD=<redacted:env>');
    expect(row?.payload_json).toContain('<redacted:private>');
  });
});

describe('a hook that cannot capture lets the tool call go on', () => {
  const failedOpen = {
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^memd: this tool call was not captured: .+\n$/),
  };

  test.each([
    ['garbage', Buffer.from([0xff, 0x00, 0xfe, 0x7b])],
    ['half an object', '{"tool":"Read","input":{'],
    ['an array', '[1,2,3]'],
    ['nothing', ''],
  ])('with %s on stdin', async (_what, input) => {
    const home = Home.open();
    await home.start();
    expect(await home.hook(input)).toMatchObject(failedOpen);
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
    expect(home.rows('SELECT id FROM events')).toEqual([]);
  });

  test('with a stdin that is never closed', async () => {
    const home = Home.open({ config: { captureObservationBudgetMs: 250 } });
    await home.start();
    expect(await home.hook('', { input: null })).toMatchObject(failedOpen);
  });

  test('with a config.json that is not JSON', async () => {
    const home = Home.open();
    await home.start();
    home.writeConfig('{ not json');
    const ran = await home.hook(plain);
    expect(ran.code).toBe(0);
    expect([captured.stdout, '']).toContain(ran.stdout);
  });

  test('with neither a project folder nor a folder of its own', async () => {
    const home = Home.open();
    const gone = path.join(home.folder, 'gone');
    fs.mkdirSync(gone);
    const script = `cd ${gone} && rmdir ${gone} && exec "$0" "$1"`;
    const words = [process.execPath, path.join(dist, 'capture-observation.mjs')];
    const input = JSON.stringify(plain);
    const env = home.env({ CLAUDE_PROJECT_DIR: gone });
    expect(await run('/bin/sh', ['-c', script, ...words], { cwd: home.project, env, input })).toMatchObject(
      failedOpen,
    );
  });
});
