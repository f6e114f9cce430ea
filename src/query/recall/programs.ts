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

/** Whether a command only searches or shows: an empty result is an answer, not a failure. */
export function onlyLooks(programs: readonly string[]): boolean {
  return programs.every((program) => looks.test(program));
}

const looks =
  /^(?:ls|cat|grep|egrep|rg|ag|find|fd|head|tail|which|type|test|\[|\[\[|stat|file|pwd|diff|cmp|pgrep|ps|wc|sort|uniq|jq|sed|awk|less|readlink|realpath|command|git (?:diff|grep|log|show|rev-parse|ls-files|ls-remote|config|cat-file|merge-base|check-ignore|symbolic-ref|status|branch)|gh (?:pr|issue|run|search)|kill|lsof)$/;
