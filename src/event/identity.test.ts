import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Observation } from './event.ts';
import { identify } from './identity.ts';

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
  test('gives a call with an id of its own one identity, whatever else is told of it', () => {
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

  test('tells calls of one id in two sessions apart, and two ids in one session', () => {
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

  test('changes nothing else', () => {
    const { id: _id, ...rest } = identify(call);
    expect(rest).toEqual(call);
  });
});
