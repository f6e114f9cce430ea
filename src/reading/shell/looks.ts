/** Whether a command only searches or shows: an empty result is an answer, not a failure. */
export function onlyLooks(programs: readonly string[]): boolean {
  return programs.every((program) => looks.test(program));
}

const looks =
  /^(?:ls|cat|grep|egrep|rg|ag|find|fd|head|tail|which|type|test|\[|\[\[|stat|file|pwd|diff|cmp|pgrep|ps|wc|sort|uniq|jq|yq|md5|md5sum|sha\d*sum|shasum|cksum|hexdump|sed|awk|less|readlink|realpath|command|nl|tree|date|echo|printf|cd|du|df|env|xxd|od|tr|cut|basename|dirname|xargs|Get-\w+|Select-\w+|Measure-\w+|Write-\w+|git (?:blame|diff|grep|log|show|rev-parse|ls-files|ls-remote|config|cat-file|merge-base|check-ignore|symbolic-ref|status|branch)|gh (?:pr|issue|run|search)|kill|lsof)$/;
