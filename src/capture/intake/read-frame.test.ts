import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#core/event';
import { frameInlineBytesMax, largeFieldValuesMax } from '#core/limits';
import { readFrame } from './read-frame.ts';

const fields = ['query', 'ids', 'tool', 'input', 'output', 'sessionId', 'cwd'];

function read(request: JsonObject | string): Json {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  const found = readFrame(new Uint8Array(Buffer.from(text)), fields, () => {});
  return found.kind === 'request' ? found.request : found.kind;
}

test('of another op than capture the fields that ops know stay, whatever they hold', () => {
  const request = { query: 'cache', ids: [1, 'a', null, { b: [] }], tool: false };
  expect(read({ op: 'search', ...request, other: 1, rid: 2 })).toEqual({ op: 'search', ...request });
  expect(read({ op: 7 })).toEqual({ op: 7 });
  expect(read({})).toEqual({});
});

test('a text stays as far as a small frame could hold it, and the next field loses nothing by that', () => {
  const long = 'x'.repeat(3 * frameInlineBytesMax);
  const short = 'x'.repeat(frameInlineBytesMax);
  expect(read({ op: 'search', query: long, tool: 'Bash' })).toEqual({
    op: 'search',
    query: short,
    tool: 'Bash',
  });
  expect(read({ op: 'a', query: [long, 'y'] })).toEqual({ op: 'a', query: [short, ''] });
  expect(read({ op: 'a', query: { [long]: 1 } })).toEqual({ op: 'a', query: {} });
});

test('a list stays as far as there is room for its values', () => {
  const many = new Array(2 * largeFieldValuesMax).fill(1);
  const kept = read({ op: 'get', ids: many });
  expect(kept).toEqual({ op: 'get', ids: many.slice(0, largeFieldValuesMax - 1) });
});

test('names that every object has are names like others', () => {
  const kept = read('{"op":"a","query":{"__proto__":{"hit":1}},"__proto__":{"ids":[1]}}');
  expect(JSON.stringify(kept)).toBe('{"op":"a","query":{"__proto__":{"hit":1}}}');
});

test('a call that is asked about is redacted before it is cut', () => {
  const secret = ['ghp', 'Zk3Rt7Yv1Qw9Lm5Xc8Bn2Hd6Js4Fg0PaUeTi'].join('_');
  const output = `${'x '.repeat(frameInlineBytesMax / 2 - 10)}${secret}${' y'.repeat(100_000)}`;
  const call = {
    op: 'recall',
    tool: 'Bash',
    input: { command: `echo ${secret}` },
    output,
    sessionId: `s ${secret}`,
  };
  const kept = read(call);
  expect(JSON.stringify(kept)).not.toContain('Zk3Rt7');
  expect(kept).toMatchObject({
    op: 'recall',
    tool: 'Bash',
    input: { command: expect.stringMatching(/^echo </) },
  });
  expect(kept).not.toHaveProperty('cwd');
  expect(read({ op: 'recall', input: { a: 1 }, sessionId: 7 })).toEqual({
    op: 'recall',
    input: { a: 1 },
    sessionId: 7,
  });
  expect(read({ op: 'recall', tool: 'Bash', sessionId: 7 })).toMatchObject({ sessionId: 7, output: '' });
});
