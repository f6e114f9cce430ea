import { expect, test } from 'vitest';
import { probeIntervalMs } from '#core/limits';
import { Absence, absenceStepMs, embedderGraceMs } from './absence.ts';
import type { KeptSettings } from './kept-settings.ts';

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

/** Looks in vain every interval from `from` on, for that long; returns the time of the last look. */
function miss(absence: Absence, from: number, forMs: number): number {
  let now = from;
  for (; now < from + forMs; now += probeIntervalMs) absence.missed(now);
  absence.missed(now);
  return now;
}

test('is short until it was seen for the whole grace period, across restarts', () => {
  const settings = newSettings();
  const first = new Absence(settings, 'a');
  miss(first, 0, embedderGraceMs / 2);
  expect(first.isShort()).toBe(true);
  // Another process, with a clock of its own.
  const second = new Absence(settings, 'a');
  const now = miss(second, 7e12, embedderGraceMs / 2 - 2 * absenceStepMs);
  expect(second.isShort()).toBe(true);
  miss(second, now, 3 * absenceStepMs);
  expect(second.isShort()).toBe(false);
  expect(settings.writes).toBeLessThanOrEqual(embedderGraceMs / absenceStepMs + 1);
});

test('does not grow while the machine sleeps, nor when the clock goes back', () => {
  const absence = new Absence(newSettings(), 'a');
  for (const now of [0, 30 * embedderGraceMs, 0, 30 * embedderGraceMs]) absence.missed(now);
  expect(absence.isShort()).toBe(true);
});

test('ends when the embedder is found; the others stay as they are', () => {
  const settings = newSettings();
  const absence = new Absence(settings, 'a');
  miss(absence, 0, 2 * embedderGraceMs);
  miss(new Absence(settings, 'b'), 0, 2 * absenceStepMs);
  expect(absence.isShort()).toBe(false);
  absence.found();
  expect(absence.isShort()).toBe(true);
  expect(Object.keys(JSON.parse(settings.read('embedders.away') ?? ''))).toEqual(['b']);
});
