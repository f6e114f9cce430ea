import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  frameBytesMax,
  frameDepthMax,
  frameInlineBytesMax,
  frameValuesMax,
  largeFramesBytesMax,
} from '../limits.ts';
import { FrameBudget } from './frame-bytes.ts';
import { type Frame, Framer } from './framer.ts';

function feed(chunks: readonly (string | Buffer)[]): Frame[] {
  const framer = new Framer(new FrameBudget(largeFramesBytesMax));
  return [...chunks.flatMap((chunk) => framer.push(Buffer.from(chunk))), ...framer.end()];
}

const shown = (frames: readonly Frame[]): string[] =>
  frames.map((frame) => (frame.kind === 'fatal' ? frame.code : frame.bytes.toString('utf8').trim()));

/** `text` in pieces that end at these places. */
function cutAt(text: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => text.subarray(from, sorted[index] ?? text.length));
}

describe('Framer', () => {
  test.each([
    ['a line each', ['{"a":1}\n{"b":2}\n'], ['{"a":1}', '{"b":2}']],
    ['no newline at all', ['{"a":1}'], ['{"a":1}']],
    ['objects without anything between', ['{"a":1}{"b":{"c":[]}}'], ['{"a":1}', '{"b":{"c":[]}}']],
    ['empty lines and white space', ['\n \r\n\t{"a":1} \r\n\n  '], ['{"a":1}']],
    ['braces in texts', ['{"a":"}{\\"}\\\\"}\n'], ['{"a":"}{\\"}\\\\"}']],
    ['an escape cut in two', ['{"a":"\\', '""}\n{}'], ['{"a":"\\""}', '{}']],
    [
      'a text cut within a character',
      [Buffer.from([0x7b, 0x22, 0xc3]), Buffer.from([0xa9, 0x22, 0x3a, 0x31, 0x7d])],
      ['{"é":1}'],
    ],
    ['what is no object, up to its newline', ['[1,{"a":2}]\n17\n'], ['[1,{"a":2}]', '17']],
    ['an unfinished one at the end of the stream', ['{"a":1}\n{"b"'], ['{"a":1}', '{"b"']],
    ['nothing', [''], []],
  ])('cuts the stream into requests: %s', (_name, chunks, requests) => {
    expect(shown(feed(chunks))).toEqual(requests);
  });

  test('gives a whole object at once, without waiting for its newline', () => {
    const framer = new Framer(new FrameBudget(largeFramesBytesMax));
    expect(shown(framer.push(Buffer.from('{"op":"ping"')))).toEqual([]);
    expect(framer.pending).toBe(true);
    expect(shown(framer.push(Buffer.from('}')))).toEqual(['{"op":"ping"}']);
    expect(framer.pending).toBe(false);
    expect(framer.push(Buffer.from('\n'))).toEqual([]);
    expect(framer.pending).toBe(false);
  });

  test('gives the same requests however the stream is cut', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 4 });
    const written = fc.tuple(object, fc.constantFrom('\n', '', '\r\n', ' \n\n'), fc.boolean());
    fc.assert(
      fc.property(
        fc.array(written, { maxLength: 6 }),
        fc.array(fc.nat(2_000), { maxLength: 40 }),
        (all, places) => {
          const text = all
            .map(([value, end, wide]) => JSON.stringify(value, null, wide ? 0 : undefined) + end)
            .join('');
          const expected = all.map(([value]) => JSON.stringify(value));
          expect(shown(feed(cutAt(Buffer.from(text), places)))).toEqual(expected);
          expect(shown(feed([...Buffer.from(text)].map((byte) => Buffer.from([byte]))))).toEqual(expected);
        },
      ),
    );
  });

  test('never throws and never grows, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }), (chunks) => {
        const frames = feed(chunks.map((chunk) => Buffer.from(chunk)));
        const bytes = frames.reduce(
          (sum, frame) => sum + (frame.kind === 'fatal' ? 0 : frame.bytes.length),
          0,
        );
        expect(bytes).toBeLessThanOrEqual(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
      }),
    );
  });
});

describe('its limits', () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
  const values = (count: number): string => `{"a":[${'1,'.repeat(count)}1]}`;
  const sized = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

  test('let through what is just within', () => {
    expect(feed([nested(frameDepthMax)])[0]?.kind).toBe('request');
    expect(feed([values(frameValuesMax)])[0]?.kind).toBe('large');
    expect(feed([sized(frameBytesMax)])[0]?.kind).toBe('large');
  });

  test.each([
    ['nesting', nested(frameDepthMax + 1), 'bad_request'],
    ['nesting of lists', `${'['.repeat(frameDepthMax + 1)}`, 'bad_request'],
    ['values', values(frameValuesMax + 1), 'too_large'],
    ['bytes', sized(frameBytesMax + 1), 'too_large'],
    ['bytes of white space', ' '.repeat(frameBytesMax + 1), 'too_large'],
  ])('refuse what is beyond: %s', (_name, text, code) => {
    expect(shown(feed([text]))).toEqual([code]);
    const half = Math.floor(text.length / 2);
    expect(shown(feed([text.slice(0, half), text.slice(half)]))).toEqual([code]);
  });

  test('refuse before the request is whole, and take nothing after', () => {
    const framer = new Framer(new FrameBudget(largeFramesBytesMax));
    expect(shown(framer.push(Buffer.from('x'.repeat(frameBytesMax + 1))))).toEqual(['too_large']);
    expect(framer.push(Buffer.from('{"op":"ping"}\n'))).toEqual([]);
    expect(framer.end()).toEqual([]);
    expect(framer.pending).toBe(false);
  });

  test('count each request for itself', () => {
    const two = `${values(frameValuesMax)}\n${values(frameValuesMax)}\n`;
    expect(feed([two]).map((frame) => frame.kind)).toEqual(['large', 'large']);
  });
});

describe('a large frame', () => {
  const sized = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  const inPieces = (framer: Framer, text: string, bytes: number): Frame[] => {
    const frames: Frame[] = [];
    for (let at = 0; at < text.length; at += bytes)
      frames.push(...framer.push(Buffer.from(text.slice(at, at + bytes))));
    return frames;
  };

  test.each([1_000, 65_536, 200_000])('is one above the limit by a byte, in pieces of %d', (bytes) => {
    const framer = new Framer(new FrameBudget(largeFramesBytesMax));
    const kinds = (size: number): string[] => inPieces(framer, sized(size), bytes).map(({ kind }) => kind);
    expect(kinds(frameInlineBytesMax)).toEqual(['request']);
    expect(kinds(frameInlineBytesMax + 1)).toEqual(['large']);
    expect(kinds(10)).toEqual(['request']);
  });

  test('has memory of its own, which can be handed to a thread without harm to its neighbours', () => {
    const framer = new Framer(new FrameBudget(largeFramesBytesMax));
    const large = sized(frameInlineBytesMax + 1);
    const [frame, next] = framer.push(Buffer.from(`${large}{"b":1}`));
    if (frame?.kind !== 'large') throw new Error('not large');
    expect(frame.bytes.toString()).toBe(large);
    structuredClone(frame.bytes, { transfer: [frame.bytes.buffer as ArrayBuffer] });
    expect(frame.bytes.length).toBe(0);
    expect(next?.kind === 'request' && next.bytes.toString()).toBe('{"b":1}');
  });

  test('beyond the budget of all connections is refused, and an ordinary one is not', () => {
    const budget = new FrameBudget(3 * frameInlineBytesMax);
    const [first, second, third] = [new Framer(budget), new Framer(budget), new Framer(budget)];
    const open = (bytes: number): string => sized(bytes).slice(0, -2);
    expect(inPieces(first, open(frameInlineBytesMax + 10), 65_536)).toEqual([]);
    expect(shown(inPieces(second, open(frameInlineBytesMax + 10), 65_536))).toEqual(['busy']);
    expect(shown(inPieces(third, sized(frameInlineBytesMax), 65_536))).toHaveLength(1);
    // What is given up is there for the next.
    first.abandon();
    expect(inPieces(third, sized(2 * frameInlineBytesMax), 65_536)[0]?.kind).toBe('large');
  });

  test('holds its part of the budget until its taker gives that back', () => {
    const budget = new FrameBudget(2 * frameInlineBytesMax);
    const framer = new Framer(budget);
    const [frame] = inPieces(framer, sized(2 * frameInlineBytesMax), 65_536);
    if (frame?.kind !== 'large') throw new Error('not large');
    expect(budget.take(1)).toBe(false);
    budget.give(frame.reserved);
    expect(budget.take(2 * frameInlineBytesMax)).toBe(true);
  });
});
