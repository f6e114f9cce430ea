import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alertRawMs } from '../../core/limits.ts';
import { type AlertChange, Alerts, type Observation } from './alerts.ts';

const minute = 60_000;

/** The alerts for observations one minute apart: `+` begins, `-` ends. */
function alertsFor(observed: readonly Omit<Observation, 'atMs'>[], rawMax = 100): string[] {
  const alerts = new Alerts(rawMax);
  return observed.flatMap((one, at) =>
    alerts
      .observe({ atMs: at * minute, ...one })
      .map(({ isOn, text }) => `${at} ${isOn ? '+' : '-'} ${text}`),
  );
}

const up = (raw: number | null = 0) => ({ error: null, raw });
const down = (error = 'timeout') => ({ error, raw: null });

describe('no answer', () => {
  test('to three consecutive pings begins an alert once, and the next answer ends it', () => {
    expect(alertsFor([up(), down(), down(), down(), down(), up(), up()])).toEqual([
      '3 + the daemon did not answer 3 pings in a row (timeout). Run `memd restart`.',
      '5 - the daemon answers again, after 4 min',
    ]);
  });

  test('to two is none, however often', () => {
    expect(alertsFor([down(), down(), up(), down(), down(), up(), down(), down()])).toEqual([]);
  });

  test.each([
    ['connect ENOENT', 'memd start'],
    ['connect ECONNREFUSED', 'memd start'],
    ['refused: busy', 'memd restart'],
    ['closed without a reply', 'memd restart'],
  ])('by %s is repaired by `%s`', (error, repair) => {
    expect(alertsFor([down(error), down(error), down(error)])).toEqual([
      `2 + the daemon did not answer 3 pings in a row (${error}). Run \`${repair}\`.`,
    ]);
  });
});

describe('raw events', () => {
  const high = Array.from({ length: 10 }, () => up(101));

  test('above the threshold for ten minutes begin an alert once, at the threshold it ends', () => {
    expect(alertsFor([...high, up(170), up(180), up(100), up(0)])).toEqual([
      '10 + 170 events wait for a summary, more than 100 for 10 min. Run `memd info`.',
      '12 - 100 events wait for a summary, at most 100 again',
    ]);
  });

  test('that fall below it once start again', () => {
    expect(alertsFor([...high, up(100), ...high])).toEqual([]);
  });

  test('that are unknown change nothing', () => {
    expect(alertsFor([...high, down(), down(), up(null), up(150), down(), up(null), up(1)])).toEqual([
      '13 + 150 events wait for a summary, more than 100 for 13 min. Run `memd info`.',
      '16 - 1 events wait for a summary, at most 100 again',
    ]);
  });
});

test('whatever is observed, an alert of a kind ends before it begins again, and is true when it begins', () => {
  const observations = fc.array(
    fc.record({
      stepMs: fc.integer({ min: 1, max: 6 * minute }),
      seen: fc.oneof(
        fc.constant(down()),
        fc.option(fc.integer({ min: 0, max: 3 })).map((raw) => up(raw)),
      ),
    }),
  );
  fc.assert(
    fc.property(observations, (steps) => {
      const alerts = new Alerts(1);
      const on = { answer: false, backlog: false };
      let atMs = 0;
      let failures = 0;
      let lowAtMs = 0;
      for (const { stepMs, seen } of steps) {
        if (seen.raw !== null && seen.raw <= 1) lowAtMs = atMs + stepMs;
        atMs += stepMs;
        failures = seen.error === null ? 0 : failures + 1;
        for (const change of alerts.observe({ atMs, ...seen })) {
          const kind = kindOf(change);
          expect(change.isOn).toBe(!on[kind]);
          on[kind] = change.isOn;
          if (change.isOn && kind === 'backlog') expect(atMs - lowAtMs).toBeGreaterThanOrEqual(alertRawMs);
        }
        expect(on.answer).toBe(failures >= 3);
      }
    }),
  );
});

function kindOf({ text }: AlertChange): 'answer' | 'backlog' {
  return text.startsWith('the daemon') ? 'answer' : 'backlog';
}
