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
