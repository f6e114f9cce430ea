import { withoutTerminalSequences } from '#core/event';
import { edgesOf } from '#reading/text';

export const recallComplaintsMax = 12;
const recallScanCharsMax = 12_000;

/**
 * `setup`: the command could not begin. `test`: a test failed. `place`: a complaint about a place in a file. `error`:
 * any other.
 */
export type Trouble = 'setup' | 'test' | 'place' | 'error';

/** One line that says what went wrong. */
export interface Complaint {
  readonly trouble: Trouble;
  /** The file that the line names, without folders, or null. */
  readonly file: string | null;
  /** The line without numbers, folders, hashes and times, to compare it with other runs. */
  readonly kind: string;
  /** The line as printed. */
  readonly shown: string;
}

/** The complaints of an output, `setup` first. Empty when the output does not show what went wrong. */
export function complaintsIn(output: string): readonly Complaint[] {
  const lines = linesOf(output);
  const found: Complaint[] = [];
  let heading: string | null = null;
  for (const [at, line] of lines.entries()) {
    // Biome prints file and rule above each complaint, followed by a drawn line.
    const named = /^(?:at )?(\S+\.\w{1,5})(?::\d+)*\s+(\S+)?.*[━─]{3,}$/.exec(line);
    if (named !== null) heading = named[1] ?? null;
    const complaint = complaintOf(line, heading, isEdge(at, lines.length));
    if (
      complaint !== null &&
      !found.some(({ kind, file }) => kind === complaint.kind && file === complaint.file)
    )
      found.push(complaint);
  }
  return found
    .sort((one, other) => order.indexOf(one.trouble) - order.indexOf(other.trouble))
    .slice(0, recallComplaintsMax);
}

const order: readonly Trouble[] = ['setup', 'test', 'place', 'error'];

/** A long output may mention any error. The reason why a command could not begin is at its start or its end. */
function isEdge(at: number, lines: number): boolean {
  return at < 4 || at >= lines - 3;
}

function linesOf(output: string): readonly string[] {
  return withoutTerminalSequences(edgesOf(output, recallScanCharsMax / 2))
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^\[[\w:.-]{1,40}\]\s+(?!\$)/, '')
        .slice(0, 400),
    )
    .filter((line) => line !== '' && !noise.test(line));
}

const noise =
  /^(?:\[[\w:.-]{1,40}\]\s*)?\$ |^[\s\-=_*#.│─━|+]+$|task failed|exited with code|^exit (?:code|status) \d|^Usage:|^FAIL$|^FAIL\s+\S+\s+(?:[\d.]+s|\[)|^\d+ issues?[.:]|^\* \w+: \d+$|Finished in|^>?\s*\d+\s*[|│]|^\^+$|^ok\s|^PASS|^=== |^at .*\(.*:\d+:\d+\)|no test files|^hint:/i;

function complaintOf(line: string, heading: string | null, atEdge: boolean): Complaint | null {
  const complaint = (trouble: Trouble, said = line, file: string | null = null): Complaint => {
    return { trouble, file: baseOf(file), kind: kindOf(said), shown: line };
  };
  if (atEdge && setup.test(line) && !/:\d+:\d+: /.test(line)) return complaint('setup');
  if (failedTest.test(line)) return complaint('test', line.replace(/\s*[([]?\d[\d.]*\s?m?s[)\]]?$/, ''));
  const marked = /^[×✖!] (.{8,})$/.exec(line);
  if (marked !== null) return complaint('place', marked[1], heading);
  const placed = /^(\S*?[\w-]+\.\w{1,5})(?::\d+(?::\d+)?|\(\d+,\d+\)):?\s+(?:- )?(.{4,})$/.exec(line);
  if (placed !== null && /^[^\d:#].*[a-z]{2}.*\s/i.test(placed[2] ?? ''))
    return complaint('place', placed[2], placed[1]);
  return error.test(line) ? complaint('error') : null;
}

/** Words of commands, shells and runners that cannot begin. */
const setup =
  /command not found|: not found$|unrecognized (?:sub)?command|unknown (?:sub)?command|(?:script|task|target|recipe) not found|missing script|no rule to make target|no task|(?:illegal|invalid|unknown|unrecognized|unexpected) (?:option|argument|flag|shorthand)|no module named|modulenotfounderror|cannot find (?:module|package)|permission denied|no such file or directory|ignored by one of|not a git repository|address already in use|eaddrinuse|econnrefused|could not connect|connection refused|cannot connect to the docker|is not installed|accepts at most|could not open a new tty|no matches found|did not match any file|requires .{1,30} (?:version|argument)|directory not found|unknown switch|cannot be used with|\(HTTP 4\d\d\)/i;
const failedTest = /^(?:--- FAIL: \S|\(fail\) \S|FAILED \S|not ok \d|[✗✘] \S|● .+ › |FAIL:? \S+\.\w)/;
const error =
  /\berror(?:\[E\d+\])?:|\berror TS\d+|\b[A-Z]\w*(?:Error|Exception)\b|^(?:fatal|panic|ERROR|Error|E:)\b|\bnot allowed\b|\bcannot\b|\bfailed to\b|\brejected\b|\btimed out\b|\bdenied\b/;

/** A line without numbers, folders, hashes and times. */
function kindOf(line: string): string {
  return line
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*/g, '')
    .replace(/[\w.~@-]*(?:\/[\w.@+-]+)*\/([\w.@+-]+)/g, '$1')
    .replace(/\b[0-9a-f]{7,}\b/gi, '#')
    .replace(/\d+(?:\.\d+)?/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}

function baseOf(path: string | null): string | null {
  return path === null ? null : path.replace(/^.*[/\\]/, '');
}
