import type { Payload } from '#core/event';
import { type Call, familyOf, once, readCall } from '#reading/call';
import {
  type CommandRun,
  commandRun,
  complains,
  countOf,
  findingsIn,
  lastHookScript,
  testIn,
  testsNamed,
  type Verdict,
} from '#reading/checks';
import { changesIn } from '#reading/edits';
import { type Task, taskOf } from '#reading/plan';
import { commandSubjects, editSubjects, type Subject } from '#reading/subjects';
import { clip, oneLine } from '#reading/text';

/** What later calls of the session use of a call. */
export interface Facts {
  /** Checks and commands that passed or failed. */
  readonly runs: readonly { readonly name: string; readonly isCheck: boolean; readonly verdict: Verdict }[];
  /** For a failed run, what was wrong in a few words; may be empty. */
  readonly complaint: string;
  /** Failing tests that the output names. */
  readonly failedTests: readonly string[];
  /** Paths in the lines that complain. */
  readonly blamed: readonly string[];
  /** Files that the call changed, created or removed. */
  readonly changed: readonly string[];
  /** The lines that a single edit removed and added, to see whether another edit restores them. */
  readonly swap: { readonly removed: string; readonly added: string } | null;
  /** The task of the plan that the call made or changed. */
  readonly task: Task | null;
}

const nothing: Facts = {
  runs: [],
  complaint: '',
  failedTests: [],
  blamed: [],
  changed: [],
  swap: null,
  task: null,
};

export const factsOf = once((payload: Payload): Facts => {
  if (payload.message !== undefined) return nothing;
  const call = readCall(payload);
  const family = familyOf(call);
  if (family === 'command') return commandFacts(call, commandRun(call));
  if (family === 'plan') return { ...nothing, task: taskOf(call) };
  return family === 'edit' && !call.result.failed && !call.result.running ? editFacts(call) : nothing;
});

function commandFacts(call: Call, { command, checks, others, lines }: CommandRun): Facts {
  const runs = [
    ...checks.map(({ name, verdict }) => ({ name, verdict, isCheck: true })),
    ...others.map(({ name, verdict }) => ({ name, verdict, isCheck: false })),
  ].filter(({ verdict }) => verdict !== 'none');
  const changed = changedFiles(commandSubjects(call));
  if (!runs.some(({ verdict }) => verdict === 'failed')) return { ...nothing, runs, changed };
  const failedTests = testsNamed(lines)
    .filter(({ passed }) => !passed)
    .map(({ name }) => name);
  const findings = findingsIn(call.result.failed ? lastHookScript(command, lines) : lines);
  const important = [...findings.main, ...findings.further];
  return {
    ...nothing,
    runs,
    changed,
    failedTests,
    complaint: complaintIn(findings.main, failedTests, lines),
    blamed: [...new Set(important.flatMap((line) => line.match(path) ?? []))].map(bare),
  };
}

function editFacts(call: Call): Facts {
  const changed = changedFiles(editSubjects(call));
  const changes = changesIn(call);
  const [hunk, second] = changes.flatMap((change) => change.hunks);
  if (hunk === undefined || second !== undefined) return { ...nothing, changed };
  const removed = hunk.removed.map((line) => line.trim()).join('\n');
  const added = hunk.added.map((line) => line.trim()).join('\n');
  return { ...nothing, changed, swap: { removed, added } };
}

/** Files in the workspace. A plan or a scratch file outside is not part of the work. */
function changedFiles(subjects: readonly Subject[]): string[] {
  return subjects
    .filter(({ kind, outcome }) => kind === 'file' && /^(?:changed|created|removed)$/.test(outcome))
    .map(({ name }) => name)
    .filter((name) => !/^(?:[/~]|[A-Za-z]:\\)/.test(name));
}

/** The first failing test and the first line that says what was wrong with it. */
function complaintIn(
  main: readonly string[],
  failedTests: readonly string[],
  lines: readonly string[],
): string {
  const [test = ''] = failedTests;
  const errors = main.filter((line) => testIn(line) === null && countOf(line) !== 'passed');
  const said = errors.filter((line) => !tally.test(line));
  const error =
    // A test prints places in what it logs too.
    (
      errorAbove(lines) ??
      said.find((line) => (test === '' && placed.test(line)) || complains(line) || heading.test(line)) ??
      said[0] ??
      errors[0] ??
      ''
    ).replace(
      /^(?:\[[\w:-]{1,40}\]\s+)?(?:[×✖✗✘]\s+)?(?:at (?=\S+\.\w))?(?:(?:AssertionError|AssertError|Error|error):?\s+)?/,
      '',
    );
  if (test === '' && error === '')
    return oneLine(lines.find((line) => placed.test(line)) ?? lines.at(-1) ?? '', complaintChars);
  if (test === '' || error === '') return oneLine(test + error, complaintChars);
  return `${clip(oneLine(lastPart(test), 200), 70)}: ${oneLine(error, complaintChars)}`;
}

/** Bun prints the error of a test above its name, among what other tests log. */
function errorAbove(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => line.trim().startsWith('(fail) '));
  if (at < 0) return undefined;
  const above = lines.slice(Math.max(at - errorAboveLinesMax, 0), at);
  return above.findLast((line) => /^\s*error: /.test(line))?.trim();
}

const errorAboveLinesMax = 40;
const complaintChars = 90;
/** Counts, and lines that only say that something failed. */
const tally =
  /\b\d+ (?:failed|pass(?:ed)?|errors?|warnings?|problems?|issues?|tests?|failures?)\b|^(?:FAIL|All fail)\b|exited with|exit (?:code|status)|task failed|:\d+: : #/i;
/** `src/mill.go:7:2: not enough arguments` */
const placed = /^\s*[\w@./-]+\.\w{1,5}:\d+(?::\d+)?: \S/;
/** Biome prints file and rule above a complaint that names neither. */
const heading = /^(?:at )?[\w.@/-]+\.\w{1,5}(?::\d+)* (?:lint\/|assist\/|format\b|parse\b)/;
const path = /(?:[\w@.-]+\/)*[\w@.-]+\.[A-Za-z]{1,5}(?=[:(]\d)|(?:[\w@.-]+\/)+[\w@.-]+\.[A-Za-z]{1,5}\b/g;

function lastPart(test: string): string {
  return test.split(/ [>›] /).at(-1) ?? test;
}

function bare(found: string): string {
  return found.replace(/^(?:\.\/)+/, '');
}
