import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeOf, placeText, sessionPlaceOf, sessionPlaceText, timeOf } from './cursor.ts';

const time = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

test('a place is read as it was written', () => {
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 1e12 }), fc.string(), (ts, id, session) => {
      expect(placeOf(placeText({ ts, id }))).toEqual({ ts, id });
      expect(sessionPlaceOf(sessionPlaceText({ ts, session, upTo: id }))).toEqual({ ts, session, upTo: id });
    }),
  );
});

test('an id and a time are places too', () => {
  expect(placeOf('17')).toEqual({ id: 17 });
  expect(placeOf('2026-01-02')).toEqual({ ts: '2026-01-02T00:00:00.000Z', id: null });
  expect(sessionPlaceOf('2026-01-02')).toEqual({ ts: '2026-01-02T00:00:00.000Z', session: '', upTo: null });
});

test('times come to the one form in which they are stored', () => {
  expect(timeOf('2026-01-02T03:04:05+02:00')).toBe('2026-01-02T01:04:05.000Z');
  expect(['', 'now', '5', 'Jan 1 2026', '2026', '2026-13-01', '2026-01-99'].map(timeOf)).toEqual(
    Array.from({ length: 7 }, () => null),
  );
});

test('what is no place is none', () => {
  for (const text of ['0', '-1', '1.5', '~1', '2026-01-02~', '2026-01-02~x', '2026-01-02~1~2', "1' OR 1=1"])
    expect(placeOf(text)).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => void placeOf(text)));
});
