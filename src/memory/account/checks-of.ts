import { type Check as CheckDone, type CheckRecord, covers } from '#reading/checks';
import type { Check } from './account.ts';
import { isNarrow, isShown, withoutFixers, withoutHooked } from './again.ts';
import type { Changes } from './changes.ts';
import { isOpenCheck, openFirst } from './ended.ts';
import { bare, type Run } from './run-shapes.ts';
import type { Place } from './turn.ts';

/** Runs of a check whose end is not known. */
export type UnknownRuns = Pick<Check, 'name' | 'end' | 'runs'> & { folder: string; place: Place };

export const checksMax = 60;
const testsMax = 8;

/** The open ones first, then the last. `unknowns` by folder and name. */
export function checksOf(
  all: readonly CheckRecord<Run>[],
  unknowns: ReadonlyMap<string, UnknownRuns>,
  changes: Changes,
): Check[] {
  const records = withoutFixers(withoutHooked(all));
  const known = new Set(all.map(({ name }) => name));
  const since = records.filter((one) => one.passedLast && !changes.areSince(one.latest.at, one.parts));
  const proven = since.flatMap(({ parts }) => parts);
  const isProven = (part: CheckDone): boolean =>
    proven.some((wide) => covers(wide, part) && isAsStrict(wide, part));
  const found = new Map(
    records.map((record) => {
      const later = unknowns.get(`${record.place}\0${record.name}`);
      return [checkOf(record, later, changes), record];
    }),
  );
  const unknown = [...unknowns.values()].filter((one) => !isShown(one, records));
  for (const { name } of unknown) known.add(name);
  const isPart = (part: string): boolean => known.has(part);
  const onlyUnknown = unknown.map(({ name, folder, place, end, runs }) => ({
    ...{ seq: place.seq, ts: place.ts, name, place: folder, end, runs, failures: 0, unknown: runs },
    ...{ isFixed: false, isMoot: false, isStale: changes.areSince(place.at), isNarrow: false },
    ...{ failed: null, passed: null },
  }));
  const sorted = [...found.keys(), ...onlyUnknown]
    // A chain says no more than its parts.
    .filter(
      (check) =>
        isOpenCheck(check) || !check.name.includes(' && ') || !check.name.split(' && ').every(isPart),
    )
    .sort(openFirst);
  const shown: Check[] = [];
  // Only what is shown is compared with all the others.
  for (const check of sorted) {
    if (shown.length === checksMax) break;
    const record = found.get(check);
    const isStale = check.isStale && record?.parts.every(isProven) !== true;
    const isPartOf = check.isNarrow && record !== undefined && isNarrow(record, records);
    // What never failed says nothing next to what the same tool passed on more, but how the project is built.
    const isBuild = record?.parts[0]?.kind === 'build';
    if (!isPartOf || check.failures > 0 || isBuild) shown.push({ ...check, isStale, isNarrow: isPartOf });
  }
  return shown;
}

/** `--warnings-as-errors`, `--strict` */
const strict = /strict|error|warn|race/;

function isAsStrict(wide: CheckDone, narrow: CheckDone): boolean {
  return narrow.options.every((option) => !strict.test(option) || wide.options.includes(option));
}

/** `isStale`, `isNarrow`: may be. */
function checkOf(record: CheckRecord<Run>, later: UnknownRuns | undefined, changes: Changes): Check {
  const { name, place, runs, failures, fixed, failed, passed, passedLast, tests, latest, parts } = record;
  const isLater = later !== undefined && later.place.at > latest.at;
  const { seq, ts, at } = isLater ? later.place : latest;
  const end = isLater ? later.end : passedLast ? 'passed' : 'failed';
  const unknown = later?.runs ?? 0;
  return {
    ...{ seq, ts, name, place, end, runs: runs + unknown, failures, unknown },
    ...{ isFixed: !passedLast && fixed, isMoot: !passedLast && record.isMoot },
    ...{ isStale: changes.areSince(at, parts), isNarrow: passedLast || fixed },
    // What a run that passed printed is nobody's complaint.
    passed: passed && { ...bare(passed), said: '' },
    failed: failed && { ...bare(failed), tests: [...tests].slice(0, testsMax) },
  };
}
