import { type Check as CheckDone, type CheckRecord, covers } from '../../reading/checks/index.ts';
import type { Check } from './account.ts';
import { isNarrow, isShown, withoutFixers, withoutHooked } from './again.ts';
import type { Changes } from './changes.ts';
import { isOpenCheck, openFirst } from './ended.ts';
import { bare, type Run } from './run-shapes.ts';
import type { Place } from './turn.ts';

/** Runs of a check whose end is not known. */
export type UnknownRuns = Pick<Check, 'name' | 'end' | 'runs'> & { folder: string; place: Place };

const checksMax = 60;
const testsMax = 8;

/** The open ones first, then the last. `unknowns` by folder and name. */
export function checksOf(
  all: readonly CheckRecord<Run>[],
  unknowns: ReadonlyMap<string, UnknownRuns>,
  changes: Changes,
): Check[] {
  const records = withoutFixers(withoutHooked(all));
  const known = new Set(records.map(({ name }) => name));
  const since = records.filter((one) => one.passedLast && !changes.areSince(one.latest.at, one.parts));
  const proven = since.flatMap(({ parts }) => parts);
  const found = records
    .map((record) => {
      const later = unknowns.get(`${record.place}\0${record.name}`);
      return checkOf(record, later, { records, proven, changes });
    })
    // What never failed says nothing next to what the same tool passed on more.
    .filter(({ isNarrow: isPart, failures }) => !isPart || failures > 0);
  const unknown = [...unknowns.values()].filter((one) => !isShown(one, records));
  for (const { name } of unknown) known.add(name);
  const isPart = (part: string): boolean => known.has(part);
  const onlyUnknown = unknown.map(({ name, folder, place, end, runs }) => ({
    ...{ seq: place.seq, ts: place.ts, name, place: folder, end, runs, failures: 0, unknown: runs },
    ...{ isFixed: false, isMoot: false, isStale: changes.areSince(place.at), isNarrow: false },
    ...{ failed: null, passed: null },
  }));
  return (
    [...found, ...onlyUnknown]
      // A chain says no more than its parts.
      .filter(
        (check) =>
          isOpenCheck(check) || !check.name.includes(' && ') || !check.name.split(' && ').every(isPart),
      )
      .sort(openFirst)
      .slice(0, checksMax)
  );
}

/** `--warnings-as-errors`, `--strict` */
const strict = /strict|error|warn|race/;

function isAsStrict(wide: CheckDone, narrow: CheckDone): boolean {
  return narrow.options.every((option) => !strict.test(option) || wide.options.includes(option));
}

interface Session {
  readonly records: readonly CheckRecord<Run>[];
  /** What passed since the last edit that it sees. */
  readonly proven: readonly CheckDone[];
  readonly changes: Changes;
}

function checkOf(
  record: CheckRecord<Run>,
  later: UnknownRuns | undefined,
  { records, proven, changes }: Session,
): Check {
  const { name, place, runs, failures, fixed, failed, passed, passedLast, tests, latest, parts } = record;
  const isLater = later !== undefined && later.place.at > latest.at;
  const { seq, ts, at } = isLater ? later.place : latest;
  const end = isLater ? later.end : passedLast ? 'passed' : 'failed';
  const unknown = later?.runs ?? 0;
  const isProven = (part: CheckDone): boolean =>
    proven.some((wide) => covers(wide, part) && isAsStrict(wide, part));
  return {
    ...{ seq, ts, name, place, end, runs: runs + unknown, failures, unknown },
    ...{ isFixed: !passedLast && fixed, isMoot: !passedLast && record.isMoot },
    isStale: changes.areSince(at, parts) && !parts.every(isProven),
    isNarrow: (passedLast || fixed) && isNarrow(record, records),
    // What a run that passed printed is nobody's complaint.
    passed: passed && { ...bare(passed), said: '' },
    failed: failed && { ...bare(failed), tests: [...tests].slice(0, testsMax) },
  };
}
