import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findTranscripts } from '../../capture/clients/find-sessions.ts';
import { projectName, projectNames, projectPrefix } from './folders.ts';

let home: string;
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-folders-')));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

it('names the folder by the real path, every other unit as a dash', () => {
  const root = path.join(home, 'Mühle x_y.z 🌾');
  fs.mkdirSync(root);
  const link = path.join(home, 'link');
  fs.symlinkSync(root, link);
  const prefix = home.replace(/[^a-zA-Z0-9]/g, '-');
  expect(projectName(root)).toBe(`${prefix}-M-hle-x-y-z---`);
  expect(projectName(link)).toBe(projectName(root));
});

it('cuts a long name at 200 and adds the hash of the whole path', () => {
  const root = `/nowhere/${'a'.repeat(300)}`;
  expect(projectName(root).slice(0, 200)).toBe(`-nowhere-${'a'.repeat(191)}`);
  // Java: Math.abs(("/nowhere/" + "a".repeat(300)).hashCode()), in base 36.
  expect(projectName(root).slice(200)).toBe('-kkph48');
  expect(projectName(`${root}/below`).startsWith(projectPrefix(root))).toBe(true);
});

it('adds the name of the plain rule where that is another', () => {
  const root = path.join(home, 'a.b');
  fs.mkdirSync(root);
  expect(projectNames(root)).toEqual([projectName(root), root.replaceAll('/', '-')]);
  expect(projectNames('/nowhere/ab')).toEqual(['-nowhere-ab']);
});

it('finds transcripts in all depths, sorted, and nothing else', () => {
  const files = [
    'b.jsonl',
    'a.jsonl.gz',
    's/subagents/agent-1.jsonl',
    's/subagents/agent-1.meta.json',
    's/tool-results/long.json',
    'old.json',
    'sessions-index.json',
    'note.txt',
  ];
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(home, 'p', file)), { recursive: true });
    fs.writeFileSync(path.join(home, 'p', file), '');
  }
  fs.symlinkSync(path.join(home, 'p', 'b.jsonl'), path.join(home, 'p', 'link.jsonl'));
  fs.symlinkSync(path.join(home, 'p'), path.join(home, 'p', 'loop'));
  expect(
    findTranscripts(path.join(home, 'p')).files.map((file) => path.relative(path.join(home, 'p'), file)),
  ).toEqual(['a.jsonl.gz', 'b.jsonl', 'old.json', 's/subagents/agent-1.jsonl']);
  expect(findTranscripts(path.join(home, 'none'))).toEqual({ files: [], unreadable: [] });
});

it.skipIf(process.getuid?.() === 0)('names a folder that cannot be listed, and gives the others', () => {
  const closed = path.join(home, 'p/closed');
  fs.mkdirSync(closed, { recursive: true, mode: 0o000 });
  fs.writeFileSync(path.join(home, 'p/a.jsonl'), '');
  expect(findTranscripts(path.join(home, 'p'))).toEqual({
    files: [path.join(home, 'p/a.jsonl')],
    unreadable: [expect.stringContaining(closed)],
  });
});
