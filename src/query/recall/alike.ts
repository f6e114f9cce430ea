import type { Complaint } from '../../calls/checks/index.ts';
import type { Run } from './asked.ts';
import { shared } from './programs.ts';

/**
 * Whether two failures are alike: the same tests with the same words, the same complaint in any place, or a command that
 * could not begin for the same reason.
 */
export function isAlike(now: Run, then: Run): boolean {
  const [first] = now.complaints;
  const [before] = then.complaints;
  if (first === undefined || before === undefined || !sameKind(first, before)) return false;
  const isSameWork = shared(now.programs, then.programs) >= 0.5 || shared(then.programs, now.programs) >= 0.5;
  if (first.trouble === 'setup')
    return (isSameWork || sameProgram(now, then)) && targetsOf(now) === targetsOf(then);
  if (!isSameWork) return false;
  if (first.trouble === 'test') return sameTests(now.complaints, then.complaints);
  return part(now.complaints, then.complaints, sameKind) >= 0.5;
}

/** A program that cannot begin fails in any use. */
function sameProgram(now: Run, then: Run): boolean {
  const names = ({ programs }: Run): string[] => programs.map((program) => program.split(' ', 1)[0] ?? '');
  return shared(names(now), names(then)) >= 0.5;
}

function targetsOf({ programs }: Run): string {
  return programs.filter((program) => program.includes(' @')).join(' ');
}

/** A test may fail for many reasons: its message must be the same too. */
function sameTests(now: readonly Complaint[], then: readonly Complaint[]): boolean {
  const tests = now.filter(({ trouble }) => trouble === 'test');
  const said = now.filter(({ trouble }) => trouble !== 'test');
  return part(tests, then, sameKind) >= 0.5 && said.length > 0 && part(said, then, sameLine) >= 0.5;
}

function part(
  of: readonly Complaint[],
  others: readonly Complaint[],
  same: (one: Complaint, other: Complaint) => boolean,
): number {
  return of.length === 0
    ? 0
    : of.filter((one) => others.some((other) => same(one, other))).length / of.length;
}

function sameKind(one: Complaint, other: Complaint): boolean {
  return one.trouble === other.trouble && one.kind === other.kind;
}

function sameLine(one: Complaint, other: Complaint): boolean {
  return sameKind(one, other) && one.file === other.file;
}
