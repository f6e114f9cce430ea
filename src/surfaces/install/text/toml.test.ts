import { expect, test } from 'vitest';
import { putTable, takeTable } from './toml.ts';

const spec = { file: 'c.toml', table: ['servers', 'ours'], body: '[servers.ours]\ncommand = "node"' };
const end = '# memd: end';

test('what another program puts in front of the last mark stays, and the marks go', () => {
  const former = 'model = "m"\n\n[servers.theirs]\ncommand = "x"\n';
  const theirs = '\n[hooks.state."h:0"]\ntrusted_hash = "sha256:1"\n';
  const text = putTable(former, spec).replace(end, (mark) => `${theirs}${mark}`);
  expect(text).toContain(`command = "node"\n${theirs}${end}\n`);
  expect(takeTable(text, spec)).toBe(`${former}${theirs}`);
});

test('tables of ours that another program has added go with it', () => {
  const former = 'model = "m"\n';
  const text = putTable(former, spec).replace(end, (mark) => `\n[servers.ours.env]\nA = "b"\n${mark}`);
  expect(takeTable(text, spec)?.trim()).toBe(former.trim());
});

test('a table that has lost its marks goes alone', () => {
  expect(takeTable(`a = 1\n${spec.body}\n# about b\n[b]\n`, spec)).toBe('a = 1\n# about b\n[b]\n');
});

test('a setting over several lines is replaced as a whole', () => {
  const text = '[servers.ours]\ncommand = """\n[servers.ours]\n"""\nmore = [\n  1,\n]\n[b]\n';
  expect(putTable(text, spec)).toBe('[servers.ours]\ncommand = "node"\nmore = [\n  1,\n]\n[b]\n');
});
