import { type CheckRecord, checkOf, covers, coversAll, fixes, partsOf, triesWhole } from '#reading/checks';
import type { Step } from '#reading/shell';
import type { Changes } from './changes.ts';
import type { Kept, Run } from './run-shapes.ts';
import type { Place } from './turn.ts';
import { isMinor } from './worth.ts';

/** What `isAgain` compares of a command; `placed`: the folder of a step in the project. */
export function stepsIn(steps: readonly Step[], placed: (folder: string) => string): Kept['steps'] {
  return steps.flatMap((step) =>
    isMinor(step)
      ? []
      : [{ name: step.name, check: step.isCheck ? checkOf(step.name, placed(step.folder)) : null }],
  );
}

/** Whether later commands do it too, in this form or another; or it was done once, and the work went on. */
export function isAgain(
  { steps, at, passes, command: { end } }: Kept,
  all: readonly Kept[],
  changes: Changes,
): boolean {
  if (end !== 'passed') return false;
  if (passes === 1 && steps.every(({ check }) => check === null) && changes.areSince(at)) return true;
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

/** Without what only a hook ran, where that is a part of what was typed: its runs are runs of that. A failure that only the other closed stays. */
export function withoutHooked(records: readonly CheckRecord<Run>[]): CheckRecord<Run>[] {
  const all = records.map((one) => ({ ...one }));
  return all.filter((one) => {
    if (!one.inHook) return true;
    const isTogether = (other: CheckRecord<Run>): boolean =>
      isOpen(one) === isOpen(other) || isOpen(one.latest.at > other.latest.at ? one : other);
    const typed = all.find(
      (other) => !other.inHook && coversAll(other.parts, one.parts) && isTogether(other),
    );
    if (typed === undefined) return true;
    typed.runs += one.runs;
    typed.failures += one.failures;
    if (one.latest.at <= typed.latest.at) return false;
    const { latest, passedLast, fixed, isMoot, tests } = one;
    Object.assign(typed, { latest, passedLast, fixed, isMoot, tests, failed: one.failed ?? typed.failed });
    return false;
  });
}

/** Without what repairs the findings of a check: where that is there too, it has ended as the last of both did. */
export function withoutFixers(records: readonly CheckRecord<Run>[]): readonly CheckRecord<Run>[] {
  const nameOf = ({ place, parts }: CheckRecord<Run>): string =>
    `${place}\0${parts.map(({ name }) => name).join()}`;
  return records.filter((one) => {
    if (!isFixer(one)) return true;
    const check = records.find((other) => !isFixer(other) && nameOf(other) === nameOf(one));
    if (check === undefined) return one.failures > 0;
    const { latest, passedLast, tests, fixed, isMoot } = one;
    const { failed } = passedLast ? check : one;
    // What repaired it shows nobody how it is run.
    if (latest.at > check.latest.at)
      Object.assign(check, { latest, passedLast, failed, tests, fixed, isMoot });
    return false;
  });
}

/** By its verb, script or options: what it runs over may have any name, and tests and builds repair nothing. */
function isFixer({ name, parts }: CheckRecord<Run>): boolean {
  const how = parts.map(({ tool, variant, options }) => [tool, variant, ...options].join(' ')).join(' ');
  if (parts.some(({ kind }) => kind === 'test' || kind === 'build') || /\bcheck\b|--diff\b/.test(how))
    return false;
  return fixes.test(how) || /[:-]fix(?:\s|$)/.test(name);
}

function isOpen({ passedLast, fixed }: CheckRecord<Run>): boolean {
  return !passedLast && !fixed;
}

/** Whether the same tool passed on more with it or since, or without changing files. */
export function isNarrow(one: CheckRecord<Run>, records: readonly CheckRecord<Run>[]): boolean {
  const [narrow] = one.parts;
  if (narrow === undefined || one.parts.length > 1) return false;
  return records.some(({ parts: [wide], parts, passedLast, latest }) => {
    if (!passedLast || wide === undefined || parts.length > 1) return false;
    if (latest.at < one.latest.at) return false;
    // A script of the project runs its tools: `mise run test:ci` what `go test ./x` does.
    if (wide.language === null && wide.kind === 'test' && (narrow.variant !== '' || !triesWhole(narrow)))
      return covers(wide, narrow) && !covers(narrow, wide);
    if (wide.tool !== narrow.tool || wide.variant !== narrow.variant) return false;
    // Another option may select: `--project e2e`, `-m slow`, `--changed`.
    if (!wide.options.every((option) => narrow.options.includes(option))) return false;
    return covers(wide, narrow) && !covers(narrow, wide);
  });
}

/** Whether it has a record of its own, a wider check passed with it or since, or a part of its chain has an end of its own. */
export function isShown(
  one: { name: string; folder: string; place: Place },
  records: readonly CheckRecord<Run>[],
): boolean {
  const parts = partsOf(one.name, one.folder);
  const passed = records.filter(({ passedLast, latest }) => passedLast && latest.at >= one.place.at);
  return (
    records.some(({ place, name }) => place === one.folder && name === one.name) ||
    coversAll(
      passed.flatMap((record) => record.parts),
      parts,
    ) ||
    (parts.length > 1 &&
      records.some(
        ({ latest, name }) => latest.at === one.place.at && parts.some((part) => part.name === name),
      ))
  );
}
