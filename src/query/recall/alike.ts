import type { Complaint } from '#reading/checks';
import type { Run } from './asked.ts';

/**
 * `same`: the same complaints about the same files and tests, or a command that could not begin for the same reason.
 * `kind`: the same complaint about another place. null: neither.
 */
export type Likeness = 'same' | 'kind' | null;

export function likeness(now: Run, then: Run): Likeness {
  const [first] = now.complaints;
  const [before] = then.complaints;
  if (first === undefined || before === undefined || first.trouble !== before.trouble) return null;
  const isSameWork = shared(now.programs, then.programs) >= 0.5 || shared(then.programs, now.programs) >= 0.5;
  if (first.trouble === 'setup')
    return first.kind === before.kind &&
      (isSameWork || sameProgram(now, then)) &&
      targetsOf(now) === targetsOf(then)
      ? 'same'
      : null;
  if (!isSameWork) return null;
  if (first.trouble === 'test') return sameTests(now.complaints, then.complaints) ? 'same' : null;
  if (part(now.complaints, then.complaints, sameLine) >= 0.5 && sameLine(first, before)) return 'same';
  return part(now.complaints, then.complaints, sameKind) >= 0.5 && sameKind(first, before) ? 'kind' : null;
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
  const found = of.filter((one) => others.some((other) => same(one, other)));
  return of.length === 0 ? 0 : found.length / of.length;
}

function sameKind(one: Complaint, other: Complaint): boolean {
  return one.trouble === other.trouble && one.kind === other.kind;
}

function sameLine(one: Complaint, other: Complaint): boolean {
  return sameKind(one, other) && one.file === other.file;
}

/** The part of `programs` that `others` has too, 0 to 1. */
export function shared(programs: readonly string[], others: readonly string[]): number {
  if (programs.length === 0) return 0;
  const known = others.map(withoutTarget);
  return programs.filter((program) => known.includes(withoutTarget(program))).length / programs.length;
}

/** Another question to the same server is another request, but the same work. */
function withoutTarget(program: string): string {
  return program.replace(/ @.*$/, '');
}
