import fs from 'node:fs';
import { expect, test } from 'vitest';
import { checks } from './checks.ts';

const codes = checks.map(({ code }) => code);

test('no two checks have one code', () => {
  expect(new Set(codes).size).toBe(codes.length);
});

test('the guide has every check, and no other', () => {
  const guide = fs.readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const table = [...guide.matchAll(/^\| `([a-z-]+)`(?: i)? \|/gm)].map(([, code]) => code);
  // Reported by the command itself.
  expect(table).toEqual([...codes, 'workspace']);
});
