import { expect, test } from 'vitest';
import { probeIntervalMs } from '../../core/limits.ts';
import { Absences, absenceStepMs, embedderGraceMs, type KeptSettings } from './absences.ts';

function newSettings(): KeptSettings & { writes: number } {
  const values = new Map<string, string>();
  return {
    writes: 0,
    read: (name) => values.get(name) ?? null,
    write(name, value) {
      this.writes += 1;
      values.set(name, value);
    },
  };
}

/** Looks in vain every interval from `from` on, for that long; answers the time of the last look. */
function misses(absences: Absences, from: number, forMs: number): number {
  let now = from;
  for (; now < from + forMs; now += probeIntervalMs) absences.missed('a', now);
  absences.missed('a', now);
  return now;
}

test('one is hoped for until it was seen away for the whole grace, across restarts', () => {
  const settings = newSettings();
  const first = new Absences(settings);
  misses(first, 0, embedderGraceMs / 2);
  expect(first.isHopedFor('a')).toBe(true);
  // Another process, with a clock of its own.
  const second = new Absences(settings);
  const now = misses(second, 7e12, embedderGraceMs / 2 - 2 * absenceStepMs);
  expect(second.isHopedFor('a')).toBe(true);
  misses(second, now, 3 * absenceStepMs);
  expect(second.isHopedFor('a')).toBe(false);
  expect(settings.writes).toBeLessThanOrEqual(embedderGraceMs / absenceStepMs + 1);
});

test('a sleep of the machine, or a clock that goes back, is no absence', () => {
  const absences = new Absences(newSettings());
  for (const now of [0, 30 * embedderGraceMs, 0, 30 * embedderGraceMs]) absences.missed('a', now);
  expect(absences.isHopedFor('a')).toBe(true);
});

test('being there once begins the count anew, and leaves the others as they were', () => {
  const settings = newSettings();
  const absences = new Absences(settings);
  const now = misses(absences, 0, 2 * embedderGraceMs);
  absences.missed('b', now);
  expect(absences.isHopedFor('a')).toBe(false);
  absences.found('a');
  expect(absences.isHopedFor('a')).toBe(true);
  expect(new Absences(settings).isHopedFor('a')).toBe(true);
});
