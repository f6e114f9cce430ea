import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ftsTokenize, indexText, matchExpression, queryTerms, stem } from './index.ts';
import { queryTermsMax } from './query.ts';

let database: DatabaseSyncInstance;

beforeAll(() => {
  database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE t USING fts5 (text, terms, tokenize="${ftsTokenize}")`);
});
afterAll(() => database.close());

function found(text: string, match: string | null): boolean {
  if (match === null) return false;
  database.exec('DELETE FROM t');
  database.prepare("INSERT INTO t (rowid, text, terms) VALUES (1, ?, '')").run(indexText(text));
  return database.prepare('SELECT rowid FROM t WHERE t MATCH ?').all(match).length > 0;
}

const find = (text: string, query: string) => found(text, matchExpression(queryTerms(query)));

describe('a query finds', () => {
  test.each([
    ['a path whole', 'Edited /home/me/app/src/search/fuse.ts', '/home/me/app/src/search/fuse.ts'],
    ['a path by its end', 'Edited /home/me/app/src/search/fuse.ts', 'search/fuse.ts'],
    ['a file by its name', 'Edited src/search/fuse.ts:12', 'fuse.ts'],
    ['a path with back slashes', 'Edited C:\\work\\app\\main.rs', 'app/main.rs'],
    ['a hump of camelCase', 'added SearcherParts()', 'searcher'],
    ['camelCase as one word', 'added createSearcher()', 'createsearcher'],
    ['an acronym in camelCase', 'class HTTPServer', 'http'],
    ['snake_case by a part', 'max_retry_count = 3', 'retry'],
    ['snake_case by its camel twin', 'half_life', 'halfLife'],
    ['kebab-case by its words', 'rate-limit', 'limit'],
    ['a dotted name by a part', 'calls os.path.join', 'join'],
    ['an error code', 'error TS2345: not assignable', 'ts2345'],
    ['the number of an error code', 'error E4711', '4711'],
    ['a version', 'upgraded to v18.2.0', '18.2.0'],
    ['a version before its suffix', 'upgraded to v18.2.0-rc.1', '18.2.0'],
    ['the suffix of a version', 'upgraded to v18.2.0-rc.1', 'rc.1'],
    ['a word of a name that begins with a version', 'Read docs/2026.01.15-migration-guide.md', 'migration'],
    ['the start of a hash', 'commit 3f2a9c1de0ab4477 done', '3f2a9c1'],
    ['Chinese in the middle of a run', '修复了数据库连接超时', '连接'],
    ['one Chinese character', '修复了数据库连接超时', '库'],
    ['Japanese', 'データベースの接続を修正', 'データベース'],
    ['Korean', '데이터베이스 연결', '데이터'],
    ['Thai', 'แก้ไขฐานข้อมูล', 'ฐานข้อมูล'],
    ['an inflected word', 'caching of sessions', 'cached session'],
    ['a word with diacritics', 'naïve résumé', 'NAIVE'],
    ['a full-width word', 'ｒｅｄｉｓ', 'redis'],
    ['a language with a sign', 'rewritten in C++', 'c++'],
  ])('%s', (_name, text, query) => {
    expect(find(text, query)).toBe(true);
  });

  test.each([
    ['a one-character query inside words', 'x', 'y'],
    ['another path with a common letter', 'a/b.ts', 'c/d.go'],
    ['a hash of another start', 'commit 3f2a9c1de0ab4477', '3f2a9c2'],
  ])('but not %s', (_name, text, query) => {
    expect(find(text, query)).toBe(false);
  });
});

test("an operator's own MATCH works", () => {
  expect(found('Moved the cache to Redis.', 'redis')).toBe(true);
  expect(found('Moved the cache to Redis.', 'cache NOT redis')).toBe(false);
  expect(found('caching things', 'caching')).toBe(true);
});

test.each(['', ' ', 'the', 'what is it for', '🚀 🎉', '"', '*', '""""', '()^-+:'])(
  '%j says nothing',
  (query) => {
    expect(queryTerms(query)).toEqual([]);
    expect(matchExpression(queryTerms(query))).toBeNull();
  },
);

test('FTS syntax in a query is text', () => {
  for (const query of [
    'NEAR(a b)',
    'text:redis',
    'red*',
    '"unpaired',
    'a AND OR NOT',
    '{text terms} : x',
    '\0 nul',
  ]) {
    expect(() => find('redis', query)).not.toThrow();
  }
});

test.each(['half-life', 'half_life', 'halfLife'])(
  '%s is asked for once, as one word, and called as it was written',
  (query) => {
    expect(queryTerms(query).map(({ term }) => term)).toEqual(['halflife', 'half', 'life'].map(stem));
    expect(queryTerms(query)[0]?.word).toBe(query.toLowerCase());
  },
);

test('a long query keeps its most telling terms, in bounds', () => {
  const filler = Array.from({ length: 3_000 }, (_, at) => `w${String.fromCharCode(97 + (at % 26))}`).join(
    ' ',
  );
  const many = Array.from(
    { length: 1_000 },
    (_, at) => `word${'abcdefghij'[at % 10]}${'klmnopqrst'[at % 7]}${at}`,
  );
  const terms = queryTerms(`${filler} at openStore (src/memory/store/store.ts:41:9) ${many.join(' ')}`);
  expect(terms.length).toBeLessThanOrEqual(queryTermsMax);
  expect(terms.map(({ term }) => term)).toContain('src/memory/store/store.ts');
});

test('no string makes FTS5 fail, and what is indexed is found by itself', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('a', 'B', '1', '_', '-', '.', '/', '+', '#', '"', ' ', '数', 'é') }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const match = matchExpression(queryTerms(text));
      expect(found(text, match)).toBe(match !== null);
    }),
  );
});

test('a sign of an unspaced script is no word, as FTS5 sees it', () => {
  expect(queryTerms('\u2e80')).toEqual([]);
  expect(find('\u2e80数据库', '\u2e80数据')).toBe(true);
});

test('time grows with the text, also for hostile ones', () => {
  // Would take minutes if any pattern backtracked; the test's own timeout is the only clock.
  for (const unit of ['a-', 'a.b/', '_', 'aA', '数', '+', '-.-', 'a+', '\u0301', 'é']) {
    expect(indexText(unit.repeat(200_000)).length).toBeGreaterThanOrEqual(0);
    queryTerms(unit.repeat(200_000));
  }
  expect(stem('a'.repeat(200_000))).toHaveLength(200_000);
});

test('inflections and derivations share a stem, short words and codes keep theirs', () => {
  for (const family of [
    ['cache', 'caches', 'cached', 'caching'],
    ['validate', 'validation', 'validator', 'validated'],
    ['run', 'runs', 'running'],
    ['query', 'queries'],
    ['configure', 'configured', 'configuration'],
  ]) {
    expect(new Set(family.map(stem)).size, family.join()).toBe(1);
  }
  for (const word of ['is', 'bus', 'ts2345', 'class', 'string']) expect(stem(word)).toBe(word);
});
