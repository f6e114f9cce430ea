import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { toolResults } from './conversation.ts';
import { builtPlugin, closeDesks, openDesk, removePlugin } from './desk.ts';
import { bash, call } from './reply.ts';
import { claude, runClaude, session, title, usualTools } from './session.ts';

afterEach(closeDesks);
afterAll(removePlugin);

const helper = {
  ...{ description: 'a helper', prompt: 'help', subagent_type: 'general-purpose' },
  run_in_background: false,
};

describe.skipIf(claude === null)(`what ${title} does`, () => {
  test('every call is captured as it was, failed ones as failed, and a backfill finds only duplicates', async () => {
    const desk = await openDesk();
    const { home, model } = desk;
    const file = path.join(home.project, 'mill.txt');
    model.play([
      bash('echo grain'),
      bash('echo jammed >&2; exit 3'),
      call('Write', { file_path: file, content: 'the old mill\n' }),
      call('Edit', { file_path: file, old_string: 'old', new_string: 'new' }),
      call('Read', { file_path: file }),
      call('Read', { file_path: path.join(home.project, 'nowhere') }),
      call('mcp__plugin_memd_memd__mem_search', { query: 'grain' }),
      { calls: [1, 2, 3].map((at) => ({ tool: 'Bash', input: { command: `echo at once ${at}` } })) },
      call('Agent', helper),
      bash('echo by the helper'),
      { say: 'helped' },
      { say: 'bye' },
    ]);
    const { id } = await session(desk, { plugin: builtPlugin(), allowed: [...usualTools, 'Agent'] });
    const rows = await until('all events', () => {
      const found = home.rows("SELECT * FROM events WHERE kind = 'call' ORDER BY ts, id");
      return found.length >= 11 && found;
    });

    const outcomes = rows.map((row) => `${String(row.tool)} ${row.is_error === 1 ? 'failed' : 'done'}`);
    const one = ['Bash done', 'Bash failed', 'Write done', 'Edit done', 'Read done', 'Read failed'];
    expect(outcomes.slice(0, one.length)).toEqual(one);
    // Those at once, and the helper's, in whatever order.
    expect(outcomes.slice(one.length).sort()).toEqual(['Agent done', ...Array(4).fill('Bash done')]);
    for (const row of rows) expect(row).toMatchObject({ client: 'claude-code', session_id: id });
    const payload = (at: number): string => String(rows[at]?.payload_json);
    expect(payload(0)).toContain('"stdout":"grain"');
    expect(payload(1)).toMatch(/Exit code 3.njammed/);
    expect(payload(4)).toContain('the new mill');
    expect(rows.map((row) => String(row.payload_json)).join()).toContain('by the helper');

    // The ids are those by which the model knows its calls; the memory's own tool is no memory.
    const ids = new Set(model.turns().flatMap((one) => toolResults(one).map((result) => result.toolUseId)));
    expect(rows.filter((row) => !ids.has(String(row.tool_use_id)))).toEqual([]);
    expect(ids.size).toBe(rows.length + 1);

    // The prompt, the last reply, and the helper's.
    const messages = () =>
      home.rows(
        "SELECT tool, json_extract(payload_json, '$.output') AS text FROM events WHERE kind = 'message'",
      );
    await until('what was said', () => messages().length >= 3);
    const said = ['Prompt: Do it.', 'Reply: bye', 'Reply: helped'];
    expect(messages().map(({ tool, text }) => `${String(tool)}: ${String(text)}`)).toEqual(
      expect.arrayContaining(said),
    );

    const backfilled = JSON.parse((await home.memd(['backfill', '--json'])).stdout);
    const duplicates = rows.length + said.length;
    expect(backfilled).toMatchObject({ scanned: 2, captured: 0, duplicates, malformed: 0 });
    expect(home.rows('SELECT count(*) AS n FROM events')).toMatchObject([{ n: duplicates }]);
  });

  test('an API error that ends the session is its end, once, by hook and transcript', async () => {
    const desk = await openDesk();
    const { home, model } = desk;
    model.play([bash('echo grain'), { refuse: 'the mill is shut' }]);
    const ended = await runClaude(desk, [
      ...['-p', 'Do it.', '--allowedTools', 'Bash'],
      ...['--plugin-dir', builtPlugin()],
    ]);
    expect(ended.code).not.toBe(0);
    const failed = () =>
      home.rows(
        `SELECT json_extract(payload_json, '$.output') AS text FROM events WHERE kind = 'message' AND is_error`,
      );
    await until('the error', () => failed().length > 0);
    expect(await home.memd(['backfill'])).toMatchObject({ code: 0 });
    expect(failed()).toEqual([{ text: expect.stringMatching(/^API error: 400 .*the mill is shut/) }]);
    const { stdout } = await home.mem(['handoff', 'last']);
    expect(stdout).toMatch(/ended by an API error: 400 .*the mill is shut/);
  });

  test('a secret in what a tool puts out or takes in reaches no file of the memory', async () => {
    const desk = await openDesk();
    const { home, model } = desk;
    const half = 'a1B2c3D4e5F6g7H8i9';
    const secret = `ghp_${half}${half}`;
    const file = path.join(home.project, 'settings.txt');
    model.play([
      bash(`printf 'cloned with %s%s%s\\n' ghp_ ${half} ${half}`),
      bash(`printf 'refused %s%s%s\\n' ghp_ ${half} ${half}; exit 1`),
      call('Write', { file_path: file, content: `key ${secret}\n` }),
      call('Read', { file_path: file }),
      { say: 'bye' },
    ]);
    await session(desk, { plugin: builtPlugin() });
    const seen = toolResults(model.turns().at(-1)).filter(({ text }) => text.includes(secret));
    expect(seen).toHaveLength(3);
    await until('all calls', () => home.rows("SELECT id FROM events WHERE kind = 'call'").length === 4);
    const marked = home.rows("SELECT id FROM events WHERE payload_json LIKE '%<redacted:%'");
    expect(marked).toHaveLength(4);
    expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
    const holding = filesBelow(home.workspace().base).filter((one) => fs.readFileSync(one).includes(secret));
    expect(holding).toEqual([]);
  });
});

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}
