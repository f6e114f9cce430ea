import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idCharsMax } from '../limits.ts';
import type { Observation } from './event.ts';
import { boundedId, identify } from './identity.ts';

const call: Observation = {
  tool: 'Bash',
  input: { command: 'ls' },
  output: 'a',
  sessionId: 's1',
  toolUseId: 'toolu_1',
  ts: '2026-01-01T00:00:00.000Z',
  client: 'claude-code',
  isError: false,
  cwd: '/p',
};

describe('identify', () => {
  test('gives a call with an id of its own one identity, whatever its other fields', () => {
    const { id } = identify(call);
    expect(id).toMatch(/^ev_[0-9a-f]{24}$/);
    const backfilled: Observation = {
      ...call,
      ts: '2026-01-02T00:00:00.000Z',
      output: 'cut',
      cwd: null,
      tool: 'bash',
    };
    expect(identify(backfilled).id).toBe(id);
  });

  test('separates calls of one id in two sessions, and two ids in one session', () => {
    const ids = [call, { ...call, sessionId: 's2' }, { ...call, toolUseId: 'toolu_2' }].map(
      (one) => identify(one).id,
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('goes by time and content where the client gives no id', () => {
    for (const toolUseId of [null, '']) {
      const bare = { ...call, toolUseId };
      const { id } = identify(bare);
      expect(identify({ ...bare }).id).toBe(id);
      const others: Observation[] = [
        { ...bare, ts: '2026-01-01T00:00:00.001Z' },
        { ...bare, tool: 'Read' },
        { ...bare, input: { command: 'ls ' } },
        { ...bare, output: 'b' },
        { ...bare, sessionId: 's2' },
      ];
      expect(new Set([id, ...others.map((one) => identify(one).id)]).size).toBe(6);
    }
  });

  test('is not led to one id by texts that run into each other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
        fc.pre(a !== c || b !== d);
        const one = identify({ ...call, toolUseId: null, tool: a, output: b });
        expect(one.id).not.toBe(identify({ ...call, toolUseId: null, tool: c, output: d }).id);
      }),
    );
  });

  test('is the same for clean ids as in every version before', () => {
    expect(identify({ ...call, sessionId: 's1', toolUseId: 'toolu_1' }).id).toBe(
      'ev_45bc1d195064591b555fb284',
    );
  });

  test('changes nothing else', () => {
    const { id: _id, ...rest } = identify(call);
    expect(rest).toEqual(call);
  });
});

describe('boundedId', () => {
  const long = 'x'.repeat(idCharsMax);

  test('leaves an id as it is that can be stored', () => {
    for (const id of ['', 'toolu_1', 'é', 'e\u0301', '😀', ' a\nb ', long]) expect(boundedId(id)).toBe(id);
  });

  test('keeps ids apart that differ only where they are long, or cannot be stored', () => {
    const ids = [`${long}a`, `${long}b`, `${long}${long}a`, `${long}\0`]
      .concat(['a', 'a\0', 'a\0b', 'a\0c', '\0a', 'a?b', 'a\ud800', 'a\ud801', 'a\udc00', 'a\ufffd'])
      .concat([`${'x'.repeat(63)}😀${long}`, `${'x'.repeat(63)}😁${long}`]);
    const bounded = ids.map(boundedId);
    expect(new Set(bounded).size).toBe(ids.length);
    for (const id of bounded) {
      expect(id.length).toBeLessThanOrEqual(idCharsMax);
      expect(Buffer.from(id).toString()).toBe(id);
      expect(id).not.toContain('\0');
    }
  });

  test('makes two calls of two pairs of session and call id', () => {
    const id = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        const one = { ...call, sessionId: boundedId(a + b), toolUseId: boundedId(c) };
        const other = { ...call, sessionId: boundedId(a), toolUseId: boundedId(b + c) };
        expect(identify(one).id).not.toBe(identify(other).id);
      }),
    );
  });
});
