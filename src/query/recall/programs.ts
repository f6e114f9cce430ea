/** The part of `steps` that `others` has too, 0 to 1. */
export function shared(steps: readonly string[], others: readonly string[]): number {
  if (steps.length === 0) return 0;
  const known = others.map(withoutTarget);
  return steps.filter((step) => known.includes(withoutTarget(step))).length / steps.length;
}

/** What a step asks of a server stands behind its program: another question of the same program is another step, but as much its work. */
function withoutTarget(step: string): string {
  return step.replace(/ @.*$/, '');
}

/** Whether the command only looks or asks: that it finds nothing is an answer, not a failure. */
export function onlyLooks(steps: readonly string[]): boolean {
  return steps.every((step) => looks.test(step));
}

const looks =
  /^(?:ls|cat|grep|egrep|rg|ag|find|fd|head|tail|which|type|test|\[|\[\[|stat|file|pwd|diff|cmp|pgrep|ps|wc|sort|uniq|jq|sed|awk|less|readlink|realpath|command|git (?:diff|grep|log|show|rev-parse|ls-files|ls-remote|config|cat-file|merge-base|check-ignore|symbolic-ref|status|branch)|gh (?:pr|issue|run|search)|kill|lsof)$/;
