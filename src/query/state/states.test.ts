import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { curate } from '#memory/curate';
import { openStore, type Store } from '#memory/store';
import { eventAt, messageAt, summarised } from '../../../test/support/store/store.ts';
import { commitsOf, Standings, States } from './index.ts';

let folder: string;
let project: string;
let store: Store;
let states: States;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-states-')));
  project = path.join(folder, 'project');
  fs.mkdirSync(project);
  git('init', '-q', '-b', 'main');
  store = openStore(path.join(folder, 'db.sqlite'));
  states = new States(store, project);
});
afterEach(() => {
  store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@m', ...args], { cwd: project });
}

let clock = 0;

function remembered(event: ToolEvent): number {
  const [id = 0] = summarised(store, [event]);
  return id;
}

function edit(name: string): number {
  clock += 1;
  const input = { file_path: path.join(project, name), content: lines.join('\n') };
  return remembered(eventAt(clock, { tool: 'Write', input, output: 'File created', cwd: project }));
}

/** A run of a check, with its subjects. */
async function run(command: string, isError: boolean, to = store): Promise<number> {
  clock += 1;
  const output = isError ? 'Exit code 1\n1 failed' : '5 passed';
  const [id = 0] = summarised(to, [eventAt(clock, { input: { command }, output, isError, cwd: project })]);
  await curate({ store: to, signal: AbortSignal.timeout(60_000), report: () => {} });
  return id;
}

function put(file: string, some: readonly string[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${some.join('\n')}\n`);
}

const lines = Array.from({ length: 10 }, (_, at) => `const sluice${at} = ${at};`);

async function stateOf(id: number, asker: string | null = null): Promise<string> {
  const found = (await states.of([id], 60_000, asker)).get(id);
  return `${found?.verdict}: ${found?.detail}`;
}

test('an edit is compared with its file, history and worktrees as they are at each request', async () => {
  const file = path.join(project, 'src/sluice.ts');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  const id = edit('src/sluice.ts');
  expect(await stateOf(id)).toBe('gone: src/sluice.ts is not there');
  put(file, lines);
  expect(await stateOf(id)).toMatch(/^current: 10 of 10/);
  put(file, lines.slice(6));
  expect(await stateOf(id)).toMatch(/^changed: 4 of 10/);
  put(file, lines);
  git('add', '-A');
  git('commit', '-qm', 'first');
  expect(await stateOf(id)).toMatch(/^current: 10 of 10/);
  git('mv', 'src/sluice.ts', 'src/weir.ts');
  git('commit', '-qm', 'second');
  await expect.poll(() => stateOf(id)).toMatch(/renamed to src\/weir\.ts/);
  git('rm', '-q', 'src/weir.ts');
  git('commit', '-qm', 'third');
  await expect.poll(() => stateOf(id)).toMatch(/^gone: /);
  const tree = path.join(project, 'trees/branch');
  git('worktree', 'add', '-q', tree, '-b', 'branch');
  put(path.join(tree, 'src/sluice.ts'), lines);
  expect(await stateOf(id, tree)).toMatch(/^current: .*in worktree/);
  expect(await stateOf(id)).toMatch(/^gone: /);
  git('worktree', 'remove', '--force', tree);
  expect(await stateOf(id, tree)).toMatch(/^gone: /);
});

test('the files of a message are looked for at each request', async () => {
  put(path.join(project, 'src/kiln.ts'), lines);
  git('add', '-A');
  git('commit', '-qm', 'first');
  const id = remembered(messageAt(++clock, 'assistant', 'I changed src/kiln.ts.'));
  expect(await stateOf(id)).toMatch(/^unknown: src\/kiln\.ts is there/);
  git('rm', '-q', 'src/kiln.ts');
  git('commit', '-qm', 'second');
  await expect.poll(() => stateOf(id)).toMatch(/^changed: the file that it names does not exist any more/);
});

test('a run has changed as soon as a later one is stored, by this program or another', async () => {
  const tests = await run('npm test', true);
  const lint = await run('npm run lint', true);
  expect(await stateOf(tests)).toMatch(/^current: no later run/);
  expect(await stateOf(lint)).toMatch(/^current: no later run/);
  await run('npm test', false);
  expect(await stateOf(tests)).toMatch(/^changed: npm test passed/);
  const another = openStore(path.join(folder, 'db.sqlite'));
  await run('npm run lint', false, another);
  another.close();
  expect(await stateOf(lint)).toMatch(/^changed: npm run lint passed/);
});

test('what is stored while a request is answered is in the next answer', async () => {
  const ids: number[] = [];
  for (let at = 0; at < 12; at += 1) ids.push(await run(`npm test -- src/mill${at}.test.ts`, true));
  const answered = states.of(ids, 60_000);
  await run('npm test', false);
  await answered;
  for (const id of ids) expect(await stateOf(id)).toMatch(/^changed: npm test passed/);
});

test('a recorded call that was changed is read again', async () => {
  const id = edit('src/cog.ts');
  put(path.join(project, 'src/cog.ts'), lines);
  expect(await stateOf(id)).toMatch(/^current: 10 of 10/);
  const sql = "UPDATE events SET payload_json = replace(payload_json, 'sluice1', 'cam1') WHERE id = ?";
  store.connection.run(sql, `ev_${clock}`);
  expect(await stateOf(id)).toMatch(/^changed: 9 of 10|^current: 9 of 10/);
});

test('the commit of an edit is found before and after the curator has stored what can be compared', async () => {
  git('commit', '-q', '--allow-empty', '-m', 'first');
  const id = edit('src/sluice.ts');
  put(path.join(project, 'src/sluice.ts'), lines);
  const asked = { ids: [id], path: 'src/sluice.ts', budgetMs: 60_000 };
  const commits = () => commitsOf(asked, { store, standings: new Standings(project) });
  expect([...(await commits())]).toEqual([[id, { commit: 'open' }]]);
  await curate({ store, signal: AbortSignal.timeout(60_000), report: () => {} });
  expect([...(await commits())]).toEqual([[id, { commit: 'open' }]]);
});

test('the commit of an edit is that of its own file, though the call changed another of that name', async () => {
  const added = (name: string, some: readonly string[]) =>
    `*** Add File: ${name}/index.ts\n${some.map((line) => `+${line}`).join('\n')}\n`;
  const others = Array.from({ length: 12 }, (_, at) => `const weir${at} = ${at};`);
  const input = `*** Begin Patch\n${added('one', lines)}${added('two', others)}*** End Patch`;
  put(path.join(project, 'two/index.ts'), others);
  git('add', '-A');
  git('commit', '-q', '-m', 'the other');
  put(path.join(project, 'one/index.ts'), lines);
  git('add', '-N', '.');
  const id = remembered(eventAt(++clock, { tool: 'apply_patch', input, output: 'Success', cwd: project }));
  const asked = { ids: [id], path: 'one/index.ts', budgetMs: 60_000 };
  const found = await commitsOf(asked, { store, standings: new Standings(project) });
  expect([...found]).toEqual([[id, { commit: 'open' }]]);
});

test('what can be compared is stored by the curator, gives the same states, and goes with its event', async () => {
  const ids = [
    edit('src/weir.ts'),
    remembered(eventAt(++clock, { input: { command: 'npm test' }, output: '5 passed', cwd: project })),
    remembered(messageAt(++clock, 'assistant', 'I changed `openSluice` in src/weir.ts.')),
    remembered(eventAt(++clock, { tool: 'Read', input: { file_path: 'a.ts' }, output: 'a', cwd: project })),
  ];
  put(path.join(project, 'src/weir.ts'), lines);
  const stored = (): unknown =>
    store.connection.all('SELECT summary_id AS id FROM comparables ORDER BY 1').map(({ id }) => id);
  const all = async (): Promise<string[]> => Promise.all(ids.map((id) => stateOf(id)));
  const before = await all();
  expect(stored()).toEqual([]);
  await curate({ store, signal: AbortSignal.timeout(60_000), report: () => {} });
  expect(stored()).toEqual(ids);
  expect(await all()).toEqual(before);
  expect(JSON.stringify(store.connection.all('SELECT * FROM comparables'))).not.toContain('const sluice1');
  const change =
    'UPDATE events SET payload_json = payload_json WHERE id = (SELECT event_id FROM summaries WHERE id = ?)';
  store.connection.run(change, ids[0] ?? 0);
  expect(stored()).toEqual(ids.slice(1));
  expect(await all()).toEqual(before);
  store.connection.run('DELETE FROM events');
  expect(stored()).toEqual([]);
});
