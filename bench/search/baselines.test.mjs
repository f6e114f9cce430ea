import { describe, expect, test } from 'vitest';
import { RawIndex, rawText, terms } from './baselines.mjs';

const call = (id, output, minute = 0) => ({
  id,
  session: 's',
  ts: `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`,
  tool: '',
  input: {},
  output,
});
const ids = (calls) => calls.map(({ id }) => id);

describe('the text of a call', () => {
  test('is its tool and every value of input and output; the names of fields are not', () => {
    const input = { file_path: 'a.ts', edits: [{ old: 'x', count: 2 }], none: null, all: true };
    expect(rawText({ tool: 'Edit', input, output: { stdout: 'done' } })).toBe('Edit a.ts x 2 true done');
  });

  test('is indexed by words, and by the parts of identifiers', () => {
    expect(terms('Fix parseHTMLPage in my_file')).toEqual([
      'fix',
      'parsehtmlpage',
      'parse',
      'htmlpage',
      'in',
      'my_file',
      'my',
      'file',
    ]);
    expect(terms('été 検索 x86')).toEqual(['été', '検索', 'x86']);
  });
});

describe('BM25', () => {
  test('gives the numbers of the formula their order', () => {
    // 3 calls of 2, 4 and 3 terms: average 3. idf(red) = ln(1 + 1.5 / 2.5) = .470 (in 2), idf(blue) = ln(1 + 2.5 / 1.5) = .981.
    // one: red once in 2 terms: norm 1.2 * (.25 + .75 * 2 / 3) = .9, .470 * 2.2 / 1.9 = .544.
    // two: red twice in 4 terms: norm 1.2 * (.25 + .75 * 4 / 3) = 1.5, .470 * 2 * 2.2 / 3.5 = .591.
    // three: blue once in 3 terms: norm 1.2, .981 * 2.2 / 2.2 = .981.
    const index = new RawIndex([call('one', 'red a'), call('two', 'red red b c'), call('three', 'blue d e')]);
    expect(ids(index.bm25('red blue', 10))).toEqual(['three', 'two', 'one']);
    expect(ids(index.bm25('red', 1))).toEqual(['two']);
    // Were length nothing, a word would count the same in the longest: norm 1.2 for both of a word once.
    const long = new RawIndex([call('short', 'red', 1), call('long', 'red b c d e f', 2)]);
    expect(ids(long.bm25('red', 10))).toEqual(['short', 'long']);
    expect(ids(long.bm25('red', 10, { b: 0 }))).toEqual(['long', 'short']);
  });

  test('counts a word of the query once, and finds nothing for words that are nowhere', () => {
    const index = new RawIndex([call('one', 'red'), call('two', 'blue blue')]);
    expect(ids(index.bm25('red red red blue', 10))).toEqual(ids(index.bm25('red blue', 10)));
    expect(index.bm25('green', 10)).toEqual([]);
    expect(index.bm25('', 10)).toEqual([]);
  });

  test('of equal ones the newer is first', () => {
    const index = new RawIndex([call('old', 'red', 1), call('new', 'red', 3), call('middle', 'red', 2)]);
    expect(ids(index.bm25('red', 10))).toEqual(['new', 'middle', 'old']);
  });
});

describe('the word search', () => {
  const index = new RawIndex([
    call('old', 'the session was refreshed', 1),
    call('both', 'refreshSession()', 2),
    call('new', 'Session', 3),
    call('none', 'nothing', 4),
  ]);

  test('counts the distinct words that a call contains, also inside of others; ties newest first', () => {
    expect(ids(index.grep('refresh session', 10))).toEqual(['both', 'old', 'new']);
    expect(ids(index.grep('session session', 10))).toEqual(['new', 'both', 'old']);
  });

  test('keeps to its limit and finds nothing for what is nowhere', () => {
    expect(ids(index.grep('session', 1))).toEqual(['new']);
    expect(index.grep('zebra', 10)).toEqual([]);
  });
});
