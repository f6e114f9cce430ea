import { expect, test } from 'vitest';
import { findTables, putBlock, takeBlock } from './toml.ts';

const marks = { begin: '# ours: begin', end: '# ours: end' };
const name = ['servers', 'ours'];
const body = '[servers.ours]\ncommand = "node"';

const taken = (text: string): string | null => takeBlock(text, findTables(text, name, 'c.toml'), marks);

test('what another program puts in front of the last mark stays, and the marks go', () => {
  const former = 'model = "m"\n\n[servers.theirs]\ncommand = "x"\n';
  const theirs = '\n[hooks.state."h:0"]\ntrusted_hash = "sha256:1"\n';
  const text = putBlock(former, body, marks).replace(marks.end, (mark) => `${theirs}${mark}`);
  expect(text).toContain(`command = "node"\n${theirs}${marks.end}\n`);
  expect(taken(text)).toBe(`${former}${theirs}`);
});

test('tables of ours that another program has added go with it', () => {
  const former = 'model = "m"\n';
  const text = putBlock(former, body, marks).replace(
    marks.end,
    (mark) => `\n[servers.ours.env]\nA = "b"\n${mark}`,
  );
  expect(taken(text)?.trim()).toBe(former.trim());
});

test('a table that has lost its marks goes alone', () => {
  expect(taken(`a = 1\n${body}\n# about b\n[b]\n`)).toBe('a = 1\n# about b\n[b]\n');
});
