import { describe, expect, test } from 'vitest';
import { encodeRecord } from '#capture/log';
import type { ToolEvent } from '#core/event';
import { payloadOf, type Trace } from '#memory/store';
import { lineMatcher } from './forget.ts';

const event: ToolEvent = {
  id: 'ev_0123456789abcdef01234567',
  tool: 'Bash',
  input: { command: 'make release' },
  output: Array.from({ length: 60 }, (_, at) => `built part ${at * 7} of the whole`).join('\n'),
  sessionId: 'session-1',
  toolUseId: 'toolu_0123456789',
  ts: '2026-01-01T00:00:00.000Z',
  client: 'claude-code',
  isError: false,
  cwd: '/home/someone/with/a/long/path/to/the/project/that/all/calls/share',
};
const trace: Trace = {
  eventId: event.id,
  toolUseId: event.toolUseId,
  sessionId: event.sessionId,
  ts: event.ts,
  text: 'built the release',
  payloadJson: JSON.stringify(payloadOf(event)),
};
const isIt = lineMatcher(trace);
const whole = encodeRecord(event).trimEnd();
const another = encodeRecord({
  ...event,
  id: 'ev_another',
  toolUseId: 'toolu_another1',
  output: 'done',
}).trimEnd();

describe('a line is about the event', () => {
  test('that it holds whole, and not when it holds another one, though that says the same', () => {
    expect(isIt(whole)).toBe(true);
    expect(isIt(another)).toBe(false);
    expect(isIt(encodeRecord({ ...event, id: 'ev_another', toolUseId: 'toolu_another1' }).trimEnd())).toBe(
      false,
    );
    // Two sessions may have given their calls the same name.
    expect(isIt(encodeRecord({ ...event, id: 'ev_another', sessionId: 'session-2' }).trimEnd())).toBe(false);
    expect(isIt(' '.repeat(500))).toBe(false);
    expect(isIt('')).toBe(false);
  });

  test('of which it holds any piece of some length', () => {
    const from = whole.indexOf('built part');
    for (let at = from; at + 200 < whole.indexOf('"sessionId"'); at += 37) {
      expect(isIt(whole.slice(at, at + 200))).toBe(true);
    }
    expect(isIt(whole.slice(0, 70))).toBe(true);
    expect(isIt(whole.slice(-180))).toBe(true);
  });

  test('not for what all calls of a session share', () => {
    expect(isIt(another.slice(0, -30))).toBe(false);
    expect(isIt(another.slice(40))).toBe(false);
  });

  test('whose id a changed byte has spoilt', () => {
    expect(isIt(whole.replace('ev_0123', 'ev_9123'))).toBe(true);
  });
});
