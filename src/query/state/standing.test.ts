import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nothingAsked, standingParts } from '#memory/account';
import { lineHash } from '#reading/edits';
import { accountOf } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { Standings } from './index.ts';

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-standing-')));
  git('init', '-q');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@m', ...args], {
    cwd: root,
    encoding: 'utf8',
  });

function commit(subject: string, ...lines: readonly string[]): void {
  fs.writeFileSync(path.join(root, 'mill.ts'), `${lines.join('\n')}\n`);
  git('add', '-A');
  git('commit', '-q', '-m', subject);
}

async function committed(...lines: readonly string[]): Promise<readonly string[]> {
  const file = { path: 'mill.ts', ts: new Date(Date.now() - 60_000).toISOString(), isGone: false };
  const [standing] = await new Standings(root).of(
    [{ root, files: [{ ...file, lines: lines.map(lineHash) }] }],
    60_000,
  );
  return (standing?.committed ?? []).map(({ subject }) => subject);
}

const oiled = ['oilTheAxle(wheel);', 'greaseTheStone(wheel);'];

test('work is in the commit that has its lines, not in one before or after it', async () => {
  commit('Ring the bell', 'ringTheBell();');
  commit('Oil the axle', 'ringTheBell();', ...oiled);
  commit('Close the gate', 'closeTheGate();', ...oiled);
  expect(await committed(...oiled)).toEqual(['Oil the axle']);
});

test('work that another commit took away again is in its own', async () => {
  commit('Ring the bell', 'ringTheBell();');
  commit('Oil the axle', ...oiled);
  commit('Start over', 'closeTheGate();');
  expect(await committed(...oiled)).toEqual(['Oil the axle']);
});

test('work that only a merge has is in the merge, not in a later commit of the file', async () => {
  commit('Ring the bell', 'ringTheBell();');
  git('checkout', '-q', '-b', 'side');
  commit('Side', 'ringTheBellTwice();');
  git('checkout', '-q', '-');
  commit('Main', 'ringTheBellLoudly();');
  expect(() => git('merge', '-q', 'side')).toThrow();
  commit('Merge the side', ...oiled);
  commit('Close the gate', 'closeTheGate();', ...oiled);
  expect(await committed(...oiled)).toEqual(['Merge the side']);
});

test('work whose lines no commit has is in none', async () => {
  commit('Ring the bell', 'ringTheBell();');
  commit('Close the gate', 'closeTheGate();');
  expect(await committed(...oiled)).toEqual([]);
});

test('each edit of a file has the commit with its lines, none where they were replaced before, and open work is open', async () => {
  const ts = new Date(Date.now() - 60_000).toISOString();
  commit('Oil the axle', ...oiled);
  commit('Close the gate', 'closeTheGate();', ...oiled);
  fs.appendFileSync(path.join(root, 'mill.ts'), 'ringTheBell();\n');
  const edits = [['ringTheBell();'], ['closeTheGate();'], ['leaveItOpen();'], oiled].map((lines) => ({
    ts,
    lines: lines.map(lineHash),
  }));
  const found = await new Standings(root).ofEdits('mill.ts', edits, 60_000);
  expect(found.map((one) => (typeof one === 'object' ? (one?.subject ?? null) : one))).toEqual([
    ...['open', 'Close the gate', null, 'Oil the axle'],
  ]);
});

test('commits are in the order of time, whichever file is asked for first', async () => {
  const at = (minute: number, name: string): { path: string; lines: number[] } => {
    fs.writeFileSync(path.join(root, name), `${oiled.join('\n')}\n`);
    git('add', '-A');
    const date = new Date(Date.now() + minute * 60_000).toISOString();
    execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@m', 'commit', '-q', '-m', name], {
      cwd: root,
      env: { ...process.env, GIT_COMMITTER_DATE: date },
    });
    return { path: name, lines: oiled.map(lineHash) };
  };
  const files = [at(-3, 'first.ts'), at(-2, 'second.ts'), at(-1, 'third.ts')].reverse();
  const since = { ts: new Date(Date.now() - 600_000).toISOString(), isGone: false };
  const asked = { root, files: files.map((file) => ({ ...file, ...since })) };
  const [standing] = await new Standings(root).of([asked], 60_000);
  expect(standing?.committed.map(({ subject }) => subject)).toEqual(['first.ts', 'second.ts', 'third.ts']);
});

test('a file of which two commits have work is counted in both', async () => {
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const write = (name: string, ...lines: readonly string[]) => {
    fs.writeFileSync(path.join(root, name), `${lines.join('\n')}\n`);
    return { path: name, isGone: false, lines: lines.slice(-2).map(lineHash) };
  };
  const bell = { ...write('bell.ts', ...oiled), ts: ago(9) };
  commit('Oil the axle', ...oiled);
  write('gate.ts', 'theirs();');
  const mill = { ...write('mill.ts', ...oiled, 'ringTheBell();', 'closeTheGate();'), ts: ago(5) };
  const gate = { ...write('gate.ts', 'theirs();', 'openTheGate();'), ts: ago(5) };
  git('add', '-A');
  const later = { env: { ...process.env, GIT_COMMITTER_DATE: ago(-5) } };
  execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@m', 'commit', '-q', '-m', 'Ring'], {
    cwd: root,
    ...later,
  });
  const [standing] = await new Standings(root).of([{ root, files: [bell, mill, gate] }], 60_000);
  expect(standing?.committed.map(({ subject, files }) => [subject, files])).toEqual([
    ['Oil the axle', ['bell.ts', 'mill.ts']],
    ['Ring', ['mill.ts', 'gate.ts']],
  ]);
  expect(standingParts(standing ?? nothingAsked, 100)[0]).toMatch(/^2 files committed later in \w+ “Oil/);
});

test('work is found behind many commits since an earlier open file', async () => {
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  for (let nth = 0; nth < 9; nth++) {
    fs.writeFileSync(path.join(root, 'mill.ts'), `turn(${nth});\n`);
    git('add', '-A');
    execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@m', 'commit', '-q', '-m', `${nth}`], {
      cwd: root,
      env: { ...process.env, GIT_COMMITTER_DATE: ago(50 - nth) },
    });
  }
  commit('Oil the axle', ...oiled);
  const files = [
    { path: 'bell.ts', ts: ago(60), isGone: false, lines: ['ringTheBell();'].map(lineHash) },
    { path: 'mill.ts', ts: ago(1), isGone: false, lines: oiled.map(lineHash) },
  ];
  const [standing] = await new Standings(root).of([{ root, files }], 60_000);
  expect(standing?.committed.map(({ subject }) => subject)).toEqual(['Oil the axle']);
});

test('of work that is older than the commits that are looked at nothing is said', async () => {
  const day = Math.floor(Date.now() / 1_000) + 86_400;
  const commits = Array.from({ length: 2_010 }, (_, nth) => {
    const text = `${oiled.join('\n')}\n${nth}\n`;
    return `commit refs/heads/main\ncommitter m <m@m> ${day + nth} +0000\ndata 1\nx\nM 100644 inline mill.ts\ndata ${text.length}\n${text}\n`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commits.join('') });
  git('checkout', '-q', 'main', '--');
  expect(await committed(...oiled)).toEqual([]);
});

test('a long log of wide commits is read to its end', async () => {
  const names = Array.from({ length: 24 }, (_, nth) => `packages/${'granary-'.repeat(6)}${nth}/mill.ts`);
  const now = Math.floor(Date.now() / 1_000);
  const commits = Array.from({ length: 1_900 }, (_, nth) => {
    const text = `${oiled.join('\n')}\n${nth % 2}\n`;
    const files = names.map((name) => `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`).join('');
    return `commit refs/heads/main\ncommitter m <m@m> ${now} +0000\ndata 1\nx\n${files}`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commits.join('') });
  git('checkout', '-q', 'main', '--');
  fs.appendFileSync(path.join(root, names[0] ?? ''), 'closeTheGate();\n');
  const since = { ts: new Date(Date.now() - 60_000).toISOString(), isGone: false };
  const files = names.map((name) => ({ path: name, ...since, lines: ['closeTheGate();'].map(lineHash) }));
  const [standing] = await new Standings(root).of([{ root, files }], 60_000);
  expect(standing?.uncommitted).toEqual([names[0]]);
});

test('the files of the commits of a session are told from those that it did not edit', async () => {
  for (const name of ['own.ts', 'elsewhere.ts']) fs.writeFileSync(path.join(root, name), 'x\n');
  commit('Oil the axle', ...oiled);
  const hash = git('rev-parse', '--short', 'HEAD').trim();
  const made = accountOf(
    ['user', 'Please oil the axle'],
    new Calls().edit('own.ts', 'a', 'b').edit('mill.ts', 'c', 'd'),
  );
  const named = { seq: 9, ts: '', text: 'Oil the axle', files: null };
  const hashes = [hash, null, 'abcdef1', '--output=stolen'];
  const account = { ...made, root, commits: hashes.map((one) => ({ ...named, hash: one })) };
  const { commits } = await new Standings(root).now(account, 60_000);
  expect(commits).toEqual([{ hash, files: ['mill.ts', 'own.ts'], foreign: ['elsewhere.ts'] }]);
  expect(fs.existsSync(path.join(root, 'stolen'))).toBe(false);
  // More files than the account names: it does not know which it did not edit.
  const cut = await new Standings(root).now({ ...account, filesCount: 3 }, 60_000);
  expect(cut.commits).toEqual([{ hash, files: ['mill.ts', 'own.ts'], foreign: [] }]);
});

test('a file is in the commit of a session before it is in the merge that brings it', async () => {
  commit('Begin', 'begin();');
  const main = git('branch', '--show-current').trim();
  git('switch', '-q', '-c', 'rye');
  commit('Oil the axle', ...oiled);
  const made = git('rev-parse', '--short', 'HEAD').trim();
  git('switch', '-q', main);
  git('merge', '-q', '--no-ff', '-m', 'Merge rye', 'rye');
  const merged = git('rev-parse', '--short', 'HEAD').trim();
  const own = accountOf(['user', 'Please oil the axle'], new Calls().edit('mill.ts', 'a', 'b'));
  const named = { seq: 9, ts: '', files: null };
  const all = [
    { ...named, hash: made, text: 'Oil the axle' },
    { ...named, hash: merged, text: 'Merge rye' },
  ];
  const { commits } = await new Standings(root).now({ ...own, root, commits: all }, 60_000);
  expect(commits.findLast(({ files }) => files.includes('mill.ts'))?.hash).toBe(made);
});
