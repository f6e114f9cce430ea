import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { payloadCharsMax, textCharsMax } from '../limits.ts';
import { cutText, cutToLimits } from './cut.ts';
import type { Observation } from './event.ts';
import type { Json } from './json.ts';

const blank: Observation = {
  tool: 'Bash',
  input: null,
  output: '',
  sessionId: 's',
  toolUseId: null,
  ts: '2026-01-01T00:00:00.000Z',
  client: 'generic',
  isError: false,
  cwd: null,
};

/** JSON whose leaves and keys are, now and then, far over the limits. */
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 0, -1.5),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), fc.nat(60_000))
      .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length))),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      fc.oneof(
        fc.string({ maxLength: 12 }),
        fc.nat(70_000).map((length) => 'k'.repeat(length)),
      ),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value;

function texts(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item: Json) => texts(item));
}

describe('cutToLimits', () => {
  test('bounds every text and the whole of any JSON', () => {
    fc.assert(
      fc.property(json, json, (input, output) => {
        const cut = cutToLimits({ ...blank, input, output });
        expect(JSON.stringify([cut.input, cut.output]).length).toBeLessThanOrEqual(payloadCharsMax);
        for (const text of [...texts(cut.input), ...texts(cut.output)]) {
          expect(text.length).toBeLessThanOrEqual(textCharsMax);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  test('bounds what JSON writes longer than it is', () => {
    for (const unit of ['"', '\\', '\u0000', '\ud800']) {
      const many = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, at) => [`${unit.repeat(20)}${at}`, unit.repeat(40)]),
      );
      const cut = cutToLimits({ ...blank, input: many, output: [many, many] });
      expect(JSON.stringify([cut.input, cut.output]).length).toBeLessThanOrEqual(payloadCharsMax);
    }
  });

  test('leaves what is within the limits as it is, and the fields outside the payload', () => {
    const observation = { ...blank, input: { command: 'ls', n: [1, null, { deep: 'x' }] }, output: 'a\nb' };
    expect(cutToLimits(observation)).toEqual(observation);
  });

  test('keeps the path of a file next to thousands of its lines', () => {
    const path = `/home/me/${'mill/'.repeat(20)}wheel.md`;
    const lines = Array.from({ length: 900 }, (_, at) => `+${at} ${'stone '.repeat(20)}`);
    const input = { path, content: lines.join('\n') };
    const cut = cutToLimits({ ...blank, input, output: { path, hunks: [{ lines }] } });
    expect(cut.input).toMatchObject({ path });
    expect(cut.output).toMatchObject({ path });
  });

  test('keeps many long texts, each shorter', () => {
    const output = Array.from({ length: 10 }, (_, at) => `${at}`.repeat(20_000));
    const cut = cutToLimits({ ...blank, output }).output;
    expect(Array.isArray(cut) && cut.length).toBe(10);
    expect(
      texts(cut).every((text, at) => text.startsWith(`${at}`) && text.includes('characters cut by memd')),
    ).toBe(true);
  });
});

describe('cutText', () => {
  test('says exactly how much is gone, and keeps the beginning and the end', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
        fc.integer({ min: 64, max: 500 }),
        (unit, limit) => {
          const text = unit.repeat(Math.ceil(1_000 / unit.length));
          const cut = cutText(text, limit);
          expect(cut.length).toBeLessThanOrEqual(limit);
          const note = /\n\[\.\.\. (\d+) characters cut by memd \.\.\.\]\n/.exec(cut);
          const start = cut.slice(0, note?.index);
          const end = cut.slice((note?.index ?? 0) + (note?.[0].length ?? 0));
          expect(Number(note?.[1])).toBe(text.length - start.length - end.length);
          expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
        },
      ),
    );
  });

  test('splits no surrogate pair, at any cut', () => {
    for (let shift = 0; shift < 4; shift += 1) {
      for (let limit = 64; limit < 72; limit += 1) {
        const cut = cutText(`${'x'.repeat(shift)}${'\u{1f600}'.repeat(200)}`, limit);
        expect(Buffer.from(cut, 'utf8').toString('utf8')).toBe(cut);
      }
    }
  });
});
