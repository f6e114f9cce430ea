import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lineHash } from '#reading/edits';
import { type Place, placesOf } from './place.ts';
import { Standings } from './standing.ts';
import { Worktrees } from './worktrees.ts';

let folder: string;
let root: string;
let branch: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-place-')));
  root = path.join(folder, 'mill');
  branch = path.join(folder, 'mill-rye');
  fs.mkdirSync(root);
  git('init', '-q', '-b', 'main');
  fs.writeFileSync(path.join(root, 'wheel.ts'), 'turn\n');
  git('add', '.');
  git('commit', '-q', '-m', 'A wheel');
  git('worktree', 'add', '-q', branch);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  const names = ['-c', 'user.name=miller', '-c', 'user.email=miller@mill.example'];
  execFileSync('git', [...names, ...args], { cwd: root });
}

async function foldersOf(file: string, asker: string | null): Promise<string | string[]> {
  const places = await placesOf(file, root, { worktrees: new Worktrees(root), alias: root, asker });
  return typeof places === 'string' ? places : places.map(({ worktree }: Place) => worktree.tree.root);
}

test('a file is looked for where it was recorded, then where the asker is, then in the main tree', async () => {
  const elsewhere = path.join(branch, 'src');
  expect(await foldersOf(path.join(root, 'wheel.ts'), elsewhere)).toEqual([root, branch]);
  expect(await foldersOf(path.join(branch, 'wheel.ts'), null)).toEqual([branch, root]);
  expect(await foldersOf(path.join(root, 'wheel.ts'), null)).toEqual([root]);
  expect(await foldersOf(path.join(root, 'wheel.ts'), folder)).toEqual([root]);
});

test('git is asked in the worktree in which a session ran', async () => {
  fs.writeFileSync(path.join(branch, 'gate.ts'), 'open\n');
  const file = { path: 'gate.ts', ts: new Date().toISOString(), isGone: false, lines: [] };
  const standings = new Standings(root);
  const [there, here] = await standings.of(
    [
      { root: branch, files: [file] },
      { root, files: [file] },
    ],
    60_000,
  );
  expect(there?.uncommitted).toEqual(['gate.ts']);
  expect(here?.uncommitted).toEqual([]);
  const odd = [root, 'a\0b'].map((name) => ({ ...file, path: name }));
  const [among] = await standings.of(
    [{ root: branch, files: [file, ...odd, { ...file, path: branch }] }],
    5_000,
  );
  expect(among?.uncommitted).toEqual(['gate.ts']);
  expect([...(await standings.missing(['gate.ts', 'bell.ts']))]).toEqual(['bell.ts']);
});

test('a file of a worktree next to the project is asked for there, and in the project once that is gone', async () => {
  const gate = path.join(branch, 'gate.ts');
  const file = {
    ...{ path: gate, ts: new Date().toISOString(), isGone: false },
    lines: [lineHash('open the gate')],
  };
  fs.writeFileSync(gate, 'open the gate\n');
  const standings = new Standings(root);
  const standing = async () => (await standings.of([{ root, files: [file] }], 60_000))[0];
  expect(await standing()).toEqual({ uncommitted: [gate], committed: [] });
  execFileSync('git', ['add', '.'], { cwd: branch });
  execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@m', 'commit', '-qm', 'A gate'], {
    cwd: branch,
  });
  expect((await standing())?.committed).toMatchObject([{ subject: 'A gate' }]);
  git('merge', '-q', 'mill-rye');
  git('worktree', 'remove', branch);
  expect((await standing())?.committed).toMatchObject([{ subject: 'A gate' }]);
  expect(await foldersOf(gate, null)).toEqual([root]);
  for (const other of ['bakery', 'millstone'])
    expect(await foldersOf(path.join(folder, other, 'gate.ts'), null)).toBe('it is outside of the workspace');
});

test('a file counts for the commit that has its lines, whatever later ones made of it', async () => {
  const write = (name: string, text: string) => fs.writeFileSync(path.join(root, name), text);
  const ts = new Date().toISOString();
  write('gate.ts', 'open the gate\n');
  write('bell.ts', 'ring the bell\n');
  git('add', '.');
  git('commit', '-q', '-m', 'A gate');
  write('gate.ts', 'no gate\n');
  git('commit', '-q', '-am', 'Without a gate');
  const file = (name: string, line: string) => ({ path: name, ts, isGone: false, lines: [lineHash(line)] });
  const files = [
    file('gate.ts', 'open the gate'),
    file('bell.ts', 'ring the bell'),
    file('wheel.ts', 'turn backwards'),
  ];
  const [standing] = await new Standings(root).of([{ root, files }], 60_000);
  expect(standing?.committed).toMatchObject([{ subject: 'A gate', files: ['gate.ts', 'bell.ts'] }]);
});
