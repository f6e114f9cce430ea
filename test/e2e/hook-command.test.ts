import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { hookNames } from '../../src/surfaces/cli/hook-program.ts';
import { hookPrograms } from '../../src/surfaces/install/hooks.ts';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const call = {
  ...{ hook_event_name: 'PostToolUse', session_id: 's', tool_use_id: 't-1', tool_name: 'Bash' },
  ...{ tool_input: { command: 'ls' }, tool_response: { stdout: 'a.ts' } },
};

test('memd hook runs each hook that there is', () => {
  expect(hookNames).toEqual(expect.arrayContaining([...hookPrograms]));
  for (const name of hookPrograms) expect(fs.existsSync(path.join(dist, `${name}.cjs`))).toBe(true);
});

test.each(['capture-observation', 'post-tool-use'])('memd hook %s stores a call', async (name) => {
  const home = Home.open();
  await home.start();
  const input = JSON.stringify({ ...call, cwd: home.project });
  const ran = await home.memd(['hook', name, '--client', 'claude-code'], { input });
  expect(ran).toMatchObject({ code: 0, stdout: '{"ok":true}\n', stderr: '' });
  expect((await home.info()).counts).toMatchObject({ events: 1 });
  const client = home.rows('SELECT client FROM events').map((row) => row.client);
  expect(client).toEqual(['claude-code']);
});

test('memd hook pre-tool-use keeps the boundary', async () => {
  const home = Home.open();
  fs.mkdirSync(path.join(home.project, '.memd'));
  fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"deny": ["**/.env"]}');
  const write = { tool_name: 'Write', tool_input: { file_path: '.env', content: 'A=1' }, cwd: home.project };
  const input = JSON.stringify({ ...call, hook_event_name: 'PreToolUse', ...write });
  const { code, stdout } = await home.memd(['hook', 'pre-tool-use'], { input });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
});

test('a hook that there is not, or none, is not understood', async () => {
  const home = Home.open();
  for (const words of [['hook'], ['hook', 'post-tool']]) {
    expect(await home.memd(words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^memd: /),
    });
  }
  expect((await home.memd(['hook', '--help'])).stdout).toContain('Usage: memd hook');
});
