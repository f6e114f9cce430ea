import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marked, wantedOf } from './marked.ts';

const found = (text: string, query: string): string[] =>
  marked(text, wantedOf(query)).flatMap(({ text: part, isMatch }) => (isMatch ? [part] : []));

describe('marked', () => {
  it('marks a word in any form that the index knows as the same', () => {
    expect(found('Migrating: the migrations migrate', 'migration')).toEqual([
      'Migrating',
      'migrations',
      'migrate',
    ]);
  });

  it('marks only the part of a compound that fits', () => {
    expect(found('docs/004-drop-redis.md', 'why did we drop redis')).toEqual(['drop', 'redis']);
    expect(found('src/session/RedisCache.ts', 'redis')).toEqual(['Redis']);
  });

  it('does not mark a word that merely contains the letters', () => {
    expect(found('predispose', 'redis')).toEqual([]);
  });

  it('finds words in a script without spaces', () => {
    expect(found('検索結果を表示', '結果')).toEqual(['結果']);
  });

  it('gives the text back whole, whatever is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, query) => {
        expect(
          marked(text, wantedOf(query))
            .map((span) => span.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});
