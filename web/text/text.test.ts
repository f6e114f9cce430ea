import { describe, expect, it } from 'vitest';
import { wantedOf } from '#reading/terms';
import { head, oneLine, partOf } from './cut.ts';
import { readEvent, serverEvents } from './server-events.ts';
import { ago, count, dayName, plural, size, span, took, when, workingMs } from './words.ts';

describe('cut', () => {
  it('never leaves half of a pair', () => {
    expect(head('ab😀c', 3)).toBe('ab');
    expect(head('ab😀c', 4)).toBe('ab😀');
    expect(head('ab', 9)).toBe('ab');
  });

  it('begins where most of the words are, with their sentence', () => {
    const log = '[Agent] started. '.repeat(20);
    const text = `${log}Ready.\nAn agent is interactive by default. ${log}`;
    const shown = partOf(text, wantedOf('which agent is the default'), 120);
    expect(shown).toMatch(/^… \[Agent\] started\. Ready\. An agent is interactive by default\. .* …$/);
    expect(partOf(text, wantedOf('quay'), 12)).toBe('[Agent] …');
    expect(partOf('as it is', wantedOf('is'), 12)).toBe('as it is');
    const far = 'We looked at all of the many things that were in the way before. '.repeat(9);
    expect(partOf(`${far}It is red. The queue drops jobs. ${far}`, wantedOf('queue'), 120)).toMatch(
      /^… It is red\. The queue/,
    );
  });

  it('cuts a script without spaces, and a long word, within it', () => {
    for (const long of [
      '连接在高并发下会耗尽，因为事务没有关闭。'.repeat(20),
      `https://mill.example/${'rye/'.repeat(99)}`,
    ]) {
      const shown = partOf(`Fixed ${long}`, wantedOf('fixed'), 240);
      expect(shown).toBe(`Fixed ${long.slice(0, 234)} …`);
    }
    const zh = '连接在高并发下会耗尽，因为事务没有关闭。';
    expect(partOf(`${zh.repeat(20)}我们使用队列。`, wantedOf('队列'), 240)).toMatch(
      /^… 连接.*关闭。我们使用队列。$/,
    );
  });

  it('puts a text on one line', () => {
    expect(oneLine('  a\n\tb   c ', 9)).toBe('a b c');
    expect(oneLine('abcdefghij', 5)).toBe('abcd…');
  });
});

describe('server events', () => {
  it('reads names, data over several lines, and comments', () => {
    expect(readEvent('event: counts\ndata: {"a":1}')).toEqual({ event: 'counts', data: '{"a":1}' });
    expect(readEvent('data: a\ndata: b')).toEqual({ event: 'message', data: 'a\nb' });
    expect(readEvent(': still here')).toEqual({ event: 'ping', data: '' });
  });

  it('puts together what comes in pieces, in the middle of a character too', async () => {
    const bytes = new TextEncoder().encode('event: counts\ndata: é\n\n: x\r\n\r\nevent: counts\ndata: 2\n\n');
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const got = [];
    for await (const event of serverEvents(body)) got.push(event);
    expect(got).toEqual([
      { event: 'counts', data: 'é' },
      { event: 'ping', data: '' },
      { event: 'counts', data: '2' },
    ]);
  });
});

describe('words', () => {
  const now = Date.parse('2026-03-17T12:00:00Z');

  it('says how long ago', () => {
    expect(ago('2026-03-17T11:59:30Z', now)).toBe('just now');
    expect(ago('2026-03-17T11:30:00Z', now)).toBe('30 min ago');
    expect(ago('2026-03-17T09:55:00Z', now)).toBe('2 h ago');
    expect(ago('2026-03-10T12:00:00Z', now)).toBe('7 days ago');
    expect(when('2026-03-10T12:00:00Z', now)).toBe('7 days ago');
    expect(when('2026-03-01T12:00:00', now)).toBe('1 Mar, 12:00');
    expect(when('2025-03-01T12:00:00', now)).toBe('1 Mar 2025, 12:00');
    expect(ago('never', now)).toBe('at an unknown time');
    expect(span(Number.NaN)).toBe('unknown');
    expect(span(125 * 60_000)).toBe('2 h 5 min');
    expect(span(90 * 60_000 * 24)).toBe('1 day 12 h');
    expect(took(4_000_000, 4_000_001)).toBe('1 h 6 min');
    expect(
      took(
        workingMs(['2026-03-17T11:00:00Z', '2026-03-17T11:09:00Z', '2026-03-17T16:00:00Z']),
        5 * 3_600_000,
      ),
    ).toBe('9 min of work in 5 h');
  });

  it('names days', () => {
    expect(dayName('2026-03-17T11:00:00Z', now)).toBe('Today');
    expect(dayName('2026-03-16T12:00:00Z', now)).toBe('Yesterday');
    expect(dayName('2026-03-02T12:00:00Z', now)).toMatch(/^Monday,? 2 March 2026$/);
    expect(dayName('', now)).toBe('No date');
  });

  it('writes amounts', () => {
    expect(count(1234567)).toBe('1,234,567');
    expect(plural(1, 'call')).toBe('1 call');
    expect(plural(0, 'memory', 'memories')).toBe('0 memories');
    expect(size(4_900_000)).toBe('4.9 MB');
  });
});
