import { type CheckRecord, checkOf, covers } from '../../reading/checks/index.ts';
import type { Step } from '../../reading/shell/index.ts';
import type { Kept, Run } from './run-shapes.ts';
import type { Place } from './turn.ts';
import { isMinor } from './worth.ts';

/** What `isAgain` compares of a command that ran in a folder of the project. */
export function stepsIn(steps: readonly Step[], folder: string): Kept['steps'] {
  return steps.flatMap((step) =>
    isMinor(step) ? [] : [{ name: step.name, check: step.isCheck ? checkOf(step.name, folder) : null }],
  );
}

/** Whether later commands do it too, in this form or another; or it was done once, and the work went on. */
export function isAgain(
  { steps, at, command: { end, runs } }: Kept,
  all: readonly Kept[],
  lastEdit: number,
): boolean {
  if (end !== 'passed') return false;
  if (runs === 1 && at < lastEdit && steps.every(({ check }) => check === null)) return true;
  const later = all.filter(({ command, at: then }) => command.end === 'passed' && then > at);
  return (
    steps.length > 0 &&
    steps.every(({ name, check }) =>
      later.some((other) =>
        other.steps.some(
          (one) => one.name === name || (check !== null && one.check !== null && covers(one.check, check)),
        ),
      ),
    )
  );
}

/** Without what only a hook ran, where that is a part of what was typed: the hook is its last run. */
export function withoutHooked(records: readonly CheckRecord<Run>[]): CheckRecord<Run>[] {
  const all = records.map((one) => ({ ...one }));
  return all.filter(({ passed, failures, parts, latest }) => {
    if (passed !== null || failures > 0) return true;
    const isWider = (one: CheckRecord<Run>): boolean =>
      one.passed !== null && parts.every((part) => one.parts.some((wide) => covers(wide, part)));
    const typed = all.find((one) => one.passedLast && isWider(one));
    if (typed !== undefined && latest.at > typed.latest.at) typed.latest = latest;
    return typed === undefined;
  });
}

/** Without what never failed, where the same tool passed on more with it or since. */
export function withoutNarrow(records: readonly CheckRecord<Run>[]): CheckRecord<Run>[] {
  const isWider = (one: CheckRecord<Run>, other: CheckRecord<Run>): boolean => {
    const [[narrow, ...more], [wide, ...others]] = [one.parts, other.parts];
    if (narrow === undefined || wide === undefined || more.length + others.length > 0) return false;
    const isAlike = wide.tool === narrow.tool && wide.variant === narrow.variant;
    if (!isAlike || !other.passedLast || other.latest.at < one.latest.at) return false;
    // Another option may select: `--project e2e`, `-m slow`, `--changed`.
    if (!wide.options.every((option) => narrow.options.includes(option))) return false;
    return covers(wide, narrow) && !covers(narrow, wide);
  };
  return records.filter(
    (one) => one.failures > 0 || !one.passedLast || !records.some((other) => isWider(one, other)),
  );
}

/** Whether it has a record of its own, a wider check passed with it or since, or a part of its chain has an end of its own. */
export function isShown(
  one: { name: string; folder: string; place: Place },
  records: readonly CheckRecord<Run>[],
): boolean {
  const parts = one.name.split(' && ').map((part) => checkOf(part, one.folder));
  const passed = records.filter(({ passedLast, latest }) => passedLast && latest.at >= one.place.at);
  return (
    records.some(({ place, name }) => place === one.folder && name === one.name) ||
    parts.every((part) => passed.some((record) => record.parts.some((wide) => covers(wide, part)))) ||
    (parts.length > 1 &&
      records.some(
        ({ latest, name }) => latest.at === one.place.at && parts.some((part) => part.name === name),
      ))
  );
}
