import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Home } from '../../support/home.ts';
import { toolResults } from './conversation.ts';
import { builtPlugin, closeDesks, openDesk, removePlugin } from './desk.ts';
import { bash, call, type Turn } from './reply.ts';
import { claude, session, title } from './session.ts';

afterEach(closeDesks);
afterAll(removePlugin);

function guard(home: Home): void {
  fs.mkdirSync(path.join(home.project, '.memd'));
  fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"allow": ["src/**"]}');
  fs.writeFileSync(path.join(home.project, 'notes.txt'), 'as it was\n');
}

const write = (home: Home, name: string): Turn =>
  call('Write', { file_path: path.join(home.project, name), content: 'written\n' });

const read = (home: Home, name: string): string => fs.readFileSync(path.join(home.project, name), 'utf8');

describe.skipIf(claude === null)(`the boundary in ${title}`, () => {
  test('a write outside of it is denied, the model gets the reason, and nothing has changed', async () => {
    const desk = await openDesk();
    const { home, model } = desk;
    guard(home);
    const notes = path.join(home.project, 'notes.txt');
    model.play([
      call('Read', { file_path: notes }),
      call('Edit', { file_path: notes, old_string: 'was', new_string: 'is' }),
      write(home, 'notes.txt'),
      bash('echo more >> notes.txt'),
      bash('rm .memd/scope.json'),
      write(home, 'src/wheel.txt'),
      bash('echo spoke >> src/wheel.txt'),
      { say: 'bye' },
    ]);
    const { report } = await session(desk, { plugin: builtPlugin() });
    const [, ...results] = toolResults(model.turns().at(-1));
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true, true, false, false]);
    for (const { text } of results.slice(0, 3))
      expect(text).toMatch(/notes\.txt.* may not be written: .*src/);
    expect(results[3]?.text).toMatch(/scope\.json/);
    expect(read(home, 'notes.txt')).toBe('as it was\n');
    expect(read(home, 'src/wheel.txt')).toBe('written\nspoke\n');
    expect(report.permission_denials).toHaveLength(4);
  });

  test('within it the permissions of the user are asked as ever', async () => {
    const desk = await openDesk();
    const { home, model } = desk;
    guard(home);
    model.play([write(home, 'src/wheel.txt'), { say: 'bye' }]);
    await session(desk, { plugin: builtPlugin(), allowed: ['Read'] });
    const [result] = toolResults(model.turns().at(-1));
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('permission') });
    expect(fs.existsSync(path.join(home.project, 'src'))).toBe(false);
  });

  test.each([
    ['edits are accepted', ['--permission-mode', 'acceptEdits']],
    ['permissions are skipped', ['--dangerously-skip-permissions']],
  ])('it holds where %s', async (_, args) => {
    const desk = await openDesk();
    const { home, model } = desk;
    guard(home);
    model.play([write(home, 'mill.txt'), write(home, 'src/wheel.txt'), { say: 'bye' }]);
    // The client lets root skip permissions only in a declared sandbox.
    await session(desk, { plugin: builtPlugin(), allowed: [], args, env: { IS_SANDBOX: '1' } });
    const results = toolResults(model.turns().at(-1));
    expect(results.map(({ isError }) => isError)).toEqual([true, false]);
    expect(fs.existsSync(path.join(home.project, 'mill.txt'))).toBe(false);
  });
});
