import { oneLine } from '../../calls/text/index.ts';

/** The line of an output that says what went wrong: a failed test, else an error, else the last line. Empty when none. */
export function complaintIn(output: string): string {
  // Errors stand at the end far more often than in the middle of a long output.
  const lines = output
    .slice(-tailChars)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[\s\-=_*#.│─|+]+$/.test(line));
  const telling = patterns
    .map((pattern) => lines.find((line) => pattern.test(line)))
    .find((line) => line !== undefined);
  return oneLine(telling ?? lines.at(-1) ?? '', 160);
}

const tailChars = 8_000;

const patterns: readonly RegExp[] = [
  /^(?:--- FAIL: |FAILED \S|\(fail\) |not ok \d|[✗✘✖×] \S|● .+ › )/,
  /^\S+\.\w{1,5}[:(]\d+(?:[:,]\d+)?\)?:? .*\b(?:error|undefined|unused|cannot|expected)\b/i,
  /\berror(?:\[E\d+\])?:? |\berror TS\d+|\b[A-Z]\w*(?:Error|Exception)\b|^(?:fatal|panic|error|Error):/,
  /\b[1-9]\d* (?:fail(?:ed|ures?|ing)?|errors?|problems?|issues?)\b/,
  /^\S+\.\w{1,5}:\d+(?::\d+)?:? \S/,
  /\b(?:failed|cannot|not found|no such|denied|refused|unexpected|undefined|rejected|does not exist|has not been)\b/i,
];
