import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Io } from './io.ts';
import { page } from './pager.ts';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-pager-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What is printed directly, and what a pager that writes its input to a file was given; null when it was not started. */
function paged(
  text: string,
  env: Readonly<Record<string, string>>,
  { isTerminal = true, pager }: { readonly isTerminal?: boolean; readonly pager?: boolean } = {},
) {
  const printed: string[] = [];
  const file = path.join(folder, 'given');
  fs.rmSync(file, { force: true });
  const io: Io = {
    ...{ env: { PATH: process.env.PATH ?? '', GIVEN: file, ...env }, cwd: folder, columns: 80 },
    ...{ isTerminal, showsProgress: false, style: (_: unknown, some: string) => some },
    ...{ out: () => {}, raw: (some: string) => void printed.push(some), note: () => {}, progress: () => {} },
  };
  page(text, io, pager === undefined ? {} : { pager });
  return { printed, given: fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null };
}

const pager = 'tee "$GIVEN" >"$GIVEN.copy"';

describe('a long text on a terminal', () => {
  test('goes through PAGER, whose options and quotes the shell reads', () => {
    expect(paged('one\ntwo', { PAGER: pager })).toEqual({ printed: [], given: 'one\ntwo\n' });
  });

  test('gives less what it needs for colours, unless LESS is set', () => {
    const asked = 'printf "%s" "$LESS" >"$GIVEN"';
    expect(paged('one', { PAGER: asked }).given).toBe('FRX');
    expect(paged('one', { PAGER: asked, LESS: 'S' }).given).toBe('S');
  });

  test.each([
    ['an empty PAGER', { PAGER: '' }],
    ['PAGER=cat', { PAGER: 'cat' }],
    ['a terminal without abilities', { PAGER: pager, TERM: 'dumb' }],
  ])('is printed directly with %s', (_, env) => {
    expect(paged('one', env)).toEqual({ printed: ['one'], given: null });
  });

  test('is printed when the pager does not exist', () => {
    expect(paged('one', { PAGER: 'no-such-pager-here 2>/dev/null' }).printed).toEqual(['one']);
  });

  test('is not paged with --no-pager or in a pipe', () => {
    expect(paged('one', { PAGER: pager }, { pager: false })).toEqual({ printed: ['one'], given: null });
    expect(paged('one', { PAGER: pager }, { isTerminal: false })).toEqual({ printed: ['one'], given: null });
  });
});
