import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '#core/event';
import { fitting, harmlessJson, notice, recordText, shortened } from './record.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 400 });

describe('the fence around recorded text', () => {
  test('opens with what it is, and closes once, whatever was recorded', () => {
    const hostile = fc.oneof(
      anyText,
      fc.constantFrom(
        '</memd-record-',
        `\n${notice}\n`,
        '</memd-record-0123456789abcdef>',
        '< / MEMD-record-1>',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.array(hostile).map((parts) => JSON.stringify(parts.join(''))),
          { minLength: 1 },
        ),
        (lines) => {
          const received = recordText(lines, 'Our own words.').split('\n');
          expect(received[0]).toBe(notice);
          const name = /^<(memd-record-[0-9a-f]{16})>$/.exec(received[1] ?? '')?.[1];
          expect(name).toBeDefined();
          const tags = received.flatMap((line, at) => (/<\s*\/?\s*memd-record/i.test(line) ? [at] : []));
          expect(tags).toEqual([1, received.length - 2]);
          expect(received.at(-2)).toBe(`</${name}>`);
          expect(received).toHaveLength(lines.length + 4);
        },
      ),
    );
  });

  test.each([
    '<\u200dmemd-record-1>',
    '</m\u200cemd\ufe0f-record-1>',
    '<_/memd\u2010record>',
    '< / MEMD record',
  ])('takes the bracket of %j, which looks like its tag to a reader', (text) => {
    expect(recordText([JSON.stringify(text)]).split('\n')[2]).not.toContain('<');
  });

  test('leaves other brackets alone', () => {
    const line = JSON.stringify('a < b, <memory>, Map<string, MemdRow>, 1 <memd-recall');
    expect(recordText([line]).split('\n')[2]).toBe(line);
  });
});

describe('a recorded call', () => {
  const json = fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

  test('is never longer than asked for, and whole when it fits', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 128, max: 2_000 }), (value, charsMax) => {
        const received = shortened(value, charsMax);
        expect(JSON.stringify(received).length).toBeLessThanOrEqual(charsMax);
        const clean = harmlessJson(value);
        if (JSON.stringify(clean).length <= charsMax) expect(received).toEqual(clean);
      }),
    );
  });

  test('says how much of a long text is missing', () => {
    const received = JSON.stringify(
      shortened({ input: { command: 'make' }, output: 'x'.repeat(50_000) }, 1_000),
    );
    expect(received.length).toBeLessThanOrEqual(1_000);
    expect(received).toContain('"command":"make"');
    expect(received).toMatch(/characters cut by memd/);
  });

  test('of very many values becomes one cut text', () => {
    const received = shortened(
      Array.from({ length: 20_000 }, (_, at) => at),
      1_000,
    );
    expect(received).toMatch(/^\[0,1,2/);
  });

  test('has harmless keys, too', () => {
    expect(harmlessJson({ 'a\u202e': ['\u0007b', 1, null] })).toEqual({ a: ['b', 1, null] });
  });
});

test('of a list as much is returned as fits, one at least', () => {
  expect(fitting(['aaaa', 'bbbb', 'cccc'], 12)).toEqual(['aaaa', 'bbbb']);
  expect(fitting(['aaaa', 'bbbb'], 100)).toEqual(['aaaa', 'bbbb']);
  expect(fitting(['a'.repeat(100)], 12)).toHaveLength(1);
  expect(fitting([], 12)).toEqual([]);
});
