import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marked, passage, wantedOf } from './marked.ts';

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

it('shows of a long text the place with the most of the words', () => {
  const slow = 'It is slow. '.repeat(9);
  const text = `${'The mill stands still. '.repeat(9)}The wheel turns. ${slow}Run \`mill --wheel=oak\` now.`;
  const from = (query: string): string => passage(text, wantedOf(query), 300, 60).slice(0, 32);
  expect(from('wheel oak')).toBe('…It is slow. Run `mill --wheel=o');
  expect(from('turns')).toBe('…stands still. The wheel turns. ');
  expect(from('rye')).toBe('The mill stands still. The mill ');
  expect(passage('A short mill', wantedOf('mill'), 40, 60)).toBe('A short mill');
});
