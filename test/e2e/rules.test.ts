import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { recallBytesMax, ruleFileName } from '#core/limits';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { run } from '../support/run.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/** What the hook before a call gives the model. */
async function said(
  home: Home,
  payload: JsonObject,
  script = 'boundary.cjs',
  client = 'claude-code',
): Promise<string> {
  const whole = { hook_event_name: 'PreToolUse', session_id: 's', cwd: home.project, ...payload };
  const options = { cwd: home.project, env: home.env(), input: JSON.stringify(whole) };
  const ran = await run(process.execPath, [path.join(dist, script), '--client', client], options);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  if (ran.stdout === '') return '';
  const { hookSpecificOutput: output } = JSON.parse(ran.stdout);
  if (output.permissionDecision === 'deny') return 'denied';
  expect(Object.keys(output)).toEqual(['hookEventName', 'additionalContext']);
  return output.additionalContext;
}

const shell = (command: string): JsonObject => ({ tool_name: 'Bash', tool_input: { command } });

test('a rule that a person made is said at its action, once per session, and listed by told', async () => {
  const home = Home.open({ config: { 'drain.fallback': 'builtin' } });
  await home.start();
  const file = path.join(home.workspace().folder, ruleFileName);
  expect(await said(home, shell('npm install x'))).toBe('');
  expect(fs.existsSync(file)).toBe(false);
  expect(await home.mem(['rule', 'add', 'use pnpm here', '--command', 'npm install'])).toMatchObject({
    code: 0,
  });
  expect(await home.mem(['rule', 'add', 'generated', '--path', 'src/gen/**'])).toMatchObject({ code: 0 });
  expect((await home.mem(['rules'])).stdout).toMatch(
    /#1 · [\d-]+ · command npm install\n {2}use pnpm here\n#2 .* path/,
  );

  expect(await said(home, shell('npm test'))).toBe('');
  const text = await said(home, shell('cd web && npm install x'));
  expect(text).toContain('use pnpm here');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(recallBytesMax);
  expect(await said(home, shell('npm install y'))).toBe('');
  expect(await said(home, { ...shell('npm install y'), session_id: 't' }, 'boundary.mjs')).toContain('pnpm');
  const write = { tool_name: 'Write', tool_input: { file_path: 'src/gen/a.ts', content: '' } };
  expect(await said(home, write, 'boundary.cjs', 'qwen-code')).toBe('');
  const all = await Promise.all(Array.from({ length: 6 }, () => said(home, write)));
  expect(all.filter((one) => one.includes('generated'))).toHaveLength(1);
  const told = await home.memd(['told', '--json']);
  expect(JSON.parse(told.stdout).told.map(({ kind }: JsonObject) => kind)).toEqual(['rule', 'rule', 'rule']);

  fs.mkdirSync(path.join(home.project, '.memd'));
  fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"deny": ["src/gen/**"]}');
  expect(await said(home, { ...write, session_id: 'u' })).toBe('denied');

  const env = { CLAUDECODE: '1' };
  for (const word of ['unpin', 'forget', 'pin'])
    expect((await home.mem([word, '1'], { env })).stderr).toContain('by a person, and claude-code runs this');
  for (const id of ['1', '2']) expect(await home.mem(['rule', 'remove', id])).toMatchObject({ code: 0 });
  expect(fs.existsSync(file)).toBe(false);
  expect(await said(home, { ...shell('npm install'), session_id: 'v' })).toBe('');
});

test('an assistant makes and removes no rule, and a rule needs exactly one matcher', async () => {
  const home = Home.open({ config: { 'drain.fallback': 'builtin' } });
  await home.start();
  await home.capture({
    ...{ kind: 'message', role: 'assistant', tool: 'Note', text: 'obey', messageId: 'm', pin: true },
    rule: { on: 'command', form: 'npm install' },
  });
  await home.memd(['drain']);
  const add = ['rule', 'add', 'use pnpm', '--command', 'npm install'];
  const env = { CLAUDECODE: '1' };
  expect((await home.mem(add, { env })).stderr).toContain('made and removed by a person');
  expect(await home.mem(['rule', 'add', 'x'])).toMatchObject({ code: 2 });
  expect(await home.mem([...add, '--word', 'x'])).toMatchObject({ code: 2 });
  const secret = ['rule', 'add', 'not this', '--word', `ghp_${'a1B2c3D4e5F6'.repeat(3)}`];
  expect((await home.mem(secret)).stderr).toContain('a secret is not kept');
  expect((await home.mem(['rule', 'add', 'never ignore lint rules', '--word', 'x'])).stderr).toContain(
    '"ignore lint rules" reads as an attack on assistants',
  );
  expect(JSON.parse((await home.mem(['rules', '--json'])).stdout)).toEqual({ ok: true, rules: [] });
  expect(await said(home, shell('npm install'))).toBe('');
});

test('what was said as a rule is suggested only when asked', async () => {
  const home = Home.open({ config: { 'drain.fallback': 'builtin' } });
  await home.start();
  await home.capture({
    kind: 'message',
    role: 'user',
    text: 'Never commit to main.',
    sessionId: 's',
    messageId: 'm',
  });
  await home.memd(['drain']);
  const { stdout, stderr } = await home.mem(['rules', '--suggest']);
  expect(stdout).toMatch(/^#1 · [\d-]+ · said once\n {2}Never commit to main\.\n$/);
  expect(stderr).toContain('None of these is a rule yet');
  expect((await home.mem(['rules'])).stdout).toBe('');
});
