/** The lines of a command's output that someone would ask about later. */
export interface Findings {
  /** The most important lines in order: failed tests, errors with their place, counts, commits. */
  readonly main: readonly string[];
  /** Other lines that matter. */
  readonly further: readonly string[];
  /** All lines that are not noise. */
  readonly plain: readonly string[];
  /** Number of packages or test files that a runner reports as passed. */
  readonly goodLines: number;
}

export const mainLines = 4;
const furtherLines = 30;

export function findingsIn(lines: readonly string[]): Findings {
  const ranked: { line: string; at: number; rank: number }[] = [];
  const plain: string[] = [];
  let goodLines = 0;
  for (const [at, raw] of lines.entries()) {
    const framed = withoutFrame(nameListed(raw.trim()));
    const line = withoutRule(framed);
    if (good.test(line)) goodLines += 1;
    if (isNoise(line)) continue;
    plain.push(line);
    // Biome prints file and rule above each complaint, followed by a drawn line.
    const isHeading = line !== framed && /\.\w{1,5}\b/.test(line);
    const rank = isHeading ? 5 : isEcho(lines, at) ? 0 : rankOf(line);
    if (rank > 0) ranked.push({ line, at, rank });
  }
  const best = distinct([...ranked].sort((one, other) => other.rank - one.rank || one.at - other.at));
  // Next to a real error, a line that only repeats that something failed adds nothing.
  const enough = (best[0]?.rank ?? 0) >= 4 ? 2 : 1;
  const important = best.filter(({ rank }) => rank >= enough);
  const main = important.slice(0, mainLines).sort((one, other) => one.at - other.at);
  const further = important.slice(mainLines, mainLines + furtherLines);
  return { main: main.map(({ line }) => line), further: further.map(({ line }) => line), plain, goodLines };
}

/** Without the lines by which a runner says which script it begins: `> shop@1.0.0 check-types` and `> tsc --noEmit` below it. */
export function withoutEchoes(lines: readonly string[]): string[] {
  return lines.filter((_, at) => !isEcho(lines, at));
}

function isEcho(lines: readonly string[], at: number): boolean {
  // Turborepo puts package and task before each line.
  const lineAt = (nth: number): string => lines[nth]?.trim().replace(task, '') ?? '';
  const isName = (nth: number): boolean =>
    script.test(lineAt(nth)) ||
    (/^> [\w:.-]+$/.test(lineAt(nth)) && lineAt(nth + 1).startsWith('> ') && !compared.test(lineAt(nth - 1)));
  return lineAt(at).startsWith('> ') && (isName(at) || isName(at - 1));
}

const task = /^[@\w/-]{1,60}[#:][a-z][\w:-]{0,40}:\s+/;
/** Of npm and pnpm with the package's version, and of Nx. */
const script = /^> (?:nx run \S+|\S+@\d\S* [\w:.-]+(?: \S+)?)$/;
/** Next to it, `> ` is a line of `diff`. */
const compared = /^(?:> |---$|\d[\d,]*[acd]\d)/;

/** The name in a line of `ls -l`; a folder gets a slash. */
function nameListed(line: string): string {
  const found =
    /^([-dlbcps])[-rwxsStT]{9}[.@+]?\s+\d+\s+\S+\s+\S+\s+[\d.,]+[KMGT]?\s+\S+\s+\S+\s+\S+\s(.+)$/.exec(line);
  return found === null ? line : `${found[2] ?? ''}${found[1] === 'd' ? '/' : ''}`;
}

/** The cells of a table row. */
function withoutFrame(line: string): string {
  const row = /^[│┃║|]\s(.*)\s[│┃║|]$/.exec(line)?.[1];
  if (row === undefined) return line;
  return row
    .split(/\s[│┃║|]\s/)
    .map((cell) => cell.trim())
    .join(', ');
}

/** `src/a.ts:3:7 lint/rule ━━━━━` without the drawn line. */
function withoutRule(line: string): string {
  return line.length > 400 ? line : line.replace(/(\S)\s+[━─═]{3,}$/, '$1');
}

/** One line per message: a test runner repeats each failure in its summary. */
function distinct<T extends { readonly line: string }>(items: readonly T[]): T[] {
  const seen = new Set<string>();
  return items.filter(({ line }) => {
    const key = line.replace(/[\d.:]+/g, '').slice(0, 120);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const good = /^(?:ok\s+[\w./]|[✓✔√]\s|PASS\s+\S|--- PASS|\(pass\))/;

const noise: readonly RegExp[] = [
  good,
  /^(?:=== (?:RUN|PAUSE|CONT|NAME)|\?\s+\S+\s+\[no test files\]|testing: warning: no tests to run|PASS$|coverage: )/,
  /^(?:\[[\w:-]{1,40}\]\s+)?\$ \S/,
  /^total \d+$|^\.{1,2}\/?$|^ok ✓?$/,
  /[█▓▒░■□━]{3}|[=#>.-]{12}|^\s*\d{1,3}%/,
  /^(?:Downloading|Downloaded|Fetching|Fetched|Resolving|Receiving objects|Unpacking|Counting objects|Compressing|Enumerating|Writing objects|Delta compression|remote:|Total \d+ \(delta|Get:\d|Hit:\d|Reading package|Preparing to unpack|Setting up|Selecting previously|Collecting |Using cached|Installing collected|npm notice|npm warn deprecated|go: downloading|Compiling \S+ v|added \d+ packages)/,
  /^[\s^~|]*$|^[-=_*\s]+$|^\d+\s*\|\s*$/,
  // The borders of tables: drawn, of `+---+`, and of `|---|:--|`.
  /^[\s\u2500-\u257f]+$|^[|+][-=+|:\s]+[|+]$/,
  /^##\[(?:group|endgroup|command|debug|section)\]|^shell: \/|^env:$/,
  /^\(use "git |^Set-Cookie|^at (?:async )?[\w.<>]+ \((?:node:|.*node_modules)/,
];

function isNoise(line: string): boolean {
  return noise.some((pattern) => pattern.test(line));
}

/**
 * 6: a failed test. 5: an error with its place. 4: an error, or the outcome of git. 3: a count or a complaint.
 * 2: a place, an address or a version. 1: says only that something above failed. 0: any other line.
 */
function rankOf(line: string): number {
  if (afterword.test(line)) return 1;
  if (excerpt.test(line)) return 0;
  if (failedTest.test(line)) return 6;
  const place = placed.test(line);
  if (strongError.test(line)) return place ? 5 : 4;
  if (gitOutcome.test(line)) return 4;
  if (place && !/^\S+:\d+:\s*$/.test(line) && complaint.test(line)) return 5;
  if (counts.test(line) || complaint.test(line)) return 3;
  return place || url.test(line) || version.test(line) ? 2 : 0;
}

/** Source code that a runner prints around a place. */
const excerpt = /^>?\s*(?:\d+\s+)?\d+\s*[|│]/;

/** Whether a line says what is wrong. A place alone may be any log line. */
export function complains(line: string): boolean {
  return strongError.test(line) || complaint.test(line);
}

/** Whether a line says only that something above failed. */
export function onlyRepeats(line: string): boolean {
  return afterword.test(line);
}

const afterword =
  /task failed|exited with (?:code|error)|Process completed with exit code|^FAIL(?:\s+\S+\s+[\d.]+s|\s+\S+\s+\[build failed\])?$|errors were emitted|ELIFECYCLE|^npm error|^make: \*\*\*/;
const failedTest =
  /^(?:--- FAIL:?|FAIL:|FAILED\b|✗|✘|✖|×\s|not ok\b|●\s|\(fail\)|FAIL\s+\S+\.(?:[cm]?[jt]sx?|py|rb|php|vue|svelte)\b)/;
const strongError =
  /\b(?:error|Error|ERROR|ERR!|panic|fatal|FATAL|Traceback|segfault|CONFLICT)\b|\w(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\b(?:TS|E|error\[E)\d{4}\b/;
const placed = /(?:^|[\s("'`])[\w./@\\-]+\.[A-Za-z]{1,5}:\d+/;
const complaint =
  /\b(?:undefined|cannot|can't|could not|couldn't|denied|refused|not found|no such|unknown|unrecognized|invalid|missing|timed? ?out|mismatch|expected|want|got|failed|failure|unused|unexpected|deprecated|warning|must|should|rejected|aborted|killed)\b/i;
const counts =
  /\b\d+ (?:pass(?:ed|ing)?|fail(?:ed|ing)?|skipped|pending|errors?|warnings?|problems?|issues?|tests?|suites?|files? changed|insertions?|deletions?|vulnerabilities|rows?|packages?|commits?)\b|^(?:Tests?|Test Suites|Test Files|Ran)\b.*\d/i;
const gitOutcome =
  /^\[[^\]]{1,200} [0-9a-f]{7,40}\] |^\s*[0-9a-f]{7,40}\.\.\.?[0-9a-f]{7,40}\s|HEAD is now at|^Switched to|^Already on|^\* \[new (?:branch|tag)\]|^nothing to commit|^Your branch is (?:behind|ahead)|^Successfully rebased|^Fast-forward|^Deleted branch|^On branch /;
const url = /^https?:\/\/\S+$/;
const version = /^v?\d+\.\d+\.\d+|\bversion\b.{0,20}\d/i;
