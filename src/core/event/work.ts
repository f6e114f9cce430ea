/** Events without a pause between them: the time of the first and of the last, in ms since 1970. */
export type Stretch = readonly [number, number];

const pauseMs = 15 * 60_000;
/** With fewer pauses than that, or within the same minute, one figure says it. */
const mostlyWork = 0.8;
const leastPausesMs = 60_000;
const stretchesMax = 200;

/**
 * Adds one to those that begin before it. A quarter of an hour without an event is a pause, and divides them. `isApart`: any time before it
 * is one, as before what a person types.
 */
export function addStretch(all: [number, number][], [first, last]: Stretch, isApart = false): void {
  const before = all.at(-1);
  if (Number.isNaN(first)) return;
  if (before !== undefined && first - before[1] < (isApart ? 1 : pauseMs))
    all[all.length - 1] = [before[0], Math.max(before[1], last)];
  else all.push([first, last]);
  const [one, two] = all;
  // Their sum stays.
  if (all.length > stretchesMax && one !== undefined && two !== undefined)
    all.splice(0, 2, [two[0] - (one[1] - one[0]), two[1]]);
}

export function workMsIn(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, [first, last]) => sum + last - first, 0);
}

/** `workMs`, where it is much shorter than the time from the first event to the last; null also where events have no exact times. */
export function workApart(workMs: number | undefined, wallMs: number): number | null {
  const mostMs = Math.min(wallMs * mostlyWork, wallMs - leastPausesMs);
  return workMs !== undefined && workMs > 0 && workMs < mostMs ? workMs : null;
}
