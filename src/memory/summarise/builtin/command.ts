import { builtinTextChars } from '#core/limits';
import { argument, type Call } from '#reading/call';
import {
  checked,
  commandRun,
  countOf,
  type Findings,
  findingsIn,
  mainLines,
  withoutEchoes,
} from '#reading/checks';
import { outline, patchChanges, sizeOf } from '#reading/edits';
import { reasonIn, type ShellCommand } from '#reading/shell';
import { clip, counted, dialectOf, listed, oneLine, plainLines, quoted } from '#reading/text';
import { type Account, failure } from './account.ts';
import { answerIn } from './answer.ts';
import { firstRemark } from './remark.ts';

/** The command, its result, and the important lines of its output. */
export function commandAccount(call: Call): Account {
  const { command, shell, lines, isRecords } = commandRun(call);
  const description = oneLine(argument(call, 'description', 'justification', 'explanation'), 120);
  const findings = withoutChatter(call, findingsIn(lines));
  return {
    text: sentences(call, shell, description, outcome(call, shell, findings, isRecords)),
    terms: [
      ...shell.commits.map(({ subject }) => subject),
      description,
      shell.essence,
      findings.main.join('\n'),
      shell.documents.join('\n').slice(0, 2_000),
      command.slice(0, 2_000),
      findings.further.join('\n').slice(0, 800),
      outline(lines, 'code').slice(0, 20).join(' '),
      // Measured: more of the ordinary output buries what people search for.
      findings.main.length > 0 ? '' : findings.plain.slice(0, 6).join('\n').slice(0, 250),
    ],
  };
}

function sentences(call: Call, shell: ShellCommand, description: string, ended: string): string {
  const { result } = call;
  const [commit] = shell.commits;
  // The subject says what the description of a commit would.
  const title =
    commit === undefined ? description.replace(/[.:]$/, '') : `Commit “${oneLine(commit.subject, 120)}”`;
  const run = shell.essence === '' ? call.tool : quoted(shell.essence, title === '' ? 200 : 140);
  const what = `${title === '' ? `Ran ${run}` : `${title}: ${run}`}${fed(shell)}`;
  if (result.refused || result.cancelled) {
    const { lead, reason } = failure(result, 200);
    return `${lead}: ${what}; ${reason}`;
  }
  const code = result.exitCode === null || result.exitCode === 0 ? '' : ` (exit ${result.exitCode})`;
  const reason = commit === undefined ? '' : reasonIn(commit, 160);
  const lead = result.failed ? 'failed: ' : '';
  return `${lead}${what}${code}. ${reason} ${ended}`;
}

/** The beginning of a here-document: the script of `python3 <<END`, the body of an issue. */
function fed({ commits, documents, programs }: ShellCommand): string {
  const [document] = documents;
  if (document === undefined || commits.length > 0 || /^(?:cat|tee)$/.test(programs[0] ?? '')) return '';
  const lines = plainLines(document.slice(0, 4_000));
  const first =
    firstRemark(lines, 'code') ??
    lines.find((line) => !/^(?:import|from|#!|set -|<)|^#+ \w+$/.test(line.trim()));
  return first === undefined ? '' : ` “${oneLine(first.replace(/^#+ /, ''), 120)}”`;
}

/** Without the output of tests that all passed, except their number, and of the hooks of a commit that was made. */
function withoutChatter(call: Call, findings: Findings): Findings {
  if (commandRun(call).shell.commits.length > 0 && !call.result.failed) {
    const made = findings.plain.filter((line) =>
      /^\[.{1,200} [0-9a-f]{7,40}\] |\b\d+ files? changed, /.test(line),
    );
    return made.length === 0
      ? findings
      : { ...findings, main: made.slice(0, mainLines), further: [], goodLines: 0 };
  }
  if (checked(call) !== 'passed') return findings;
  const counts = findings.plain.filter((line) => /pass|fail|test/i.test(line) && countOf(line) === 'passed');
  if (counts.length + findings.goodLines === 0) return findings;
  return { ...findings, main: counts.slice(-mainLines), further: [], plain: [] };
}

function outcome(call: Call, shell: ShellCommand, findings: Findings, isRecords: boolean): string {
  const room = builtinTextChars - 160;
  if (isDiff(call.result.text)) return diffOutcome(call.result.text, room);
  if (findings.main.length > 0 && (isRecords || !isReading(shell))) {
    const good = findings.goodLines > 0 ? [`${findings.goodLines} ok`] : [];
    const main = findings.main.map((line) => clip(withoutSubject(line, shell), 150));
    return `${listed([...main, ...good], room, ' | ')}`;
  }
  if (!isRecords && json.test(call.result.text)) return answerIn(call.result.text).answer;
  const { goodLines } = findings;
  const plain = withoutEchoes(findings.plain);
  if (plain.length === 0) {
    if (goodLines > 0) return `${goodLines} ok.`;
    if (call.result.text === '') return 'No output.';
    return checked(call) === 'passed' ? 'No complaint.' : '';
  }
  const total = plain.at(-1) ?? '';
  if (/^\d+ files? changed/.test(total)) {
    const files = plain.slice(0, -1).map((line) => line.replace(/\s[-+]+$/, ''));
    return `${total}: ${listed(files, room, ' | ')}`;
  }
  if (shell.programs[0] === 'ls')
    return `${counted(plain.length, 'entry', 'entries')}: ${listed(plain, room)}`;
  if (isReading(shell) && !isRecords) {
    const names = outline(plain, 'code');
    if (names.length >= 2) return `${counted(plain.length, 'line')}: ${listed(names, room)}`;
  }
  // An error is at the end; the subject of a listing is at its beginning.
  const head = (call.result.failed ? plain.slice(-3) : plain.slice(0, 3)).map((line) => clip(line, 110));
  const more = plain.length > head.length ? `${counted(plain.length, 'line')}: ` : '';
  return `${more}${listed(head, room, ' | ')}`;
}

/** Begins as JSON does, and not as `[test] $ go test`. */
const json = /^\s*(?:\{|\[\s*(?:[[{"\]]|-?\d+(?:\.\d+)?\s*[,\]]))/;

/** Only the branch and the hash of git's `[main 1a2b3c4] subject`, if the title has the subject. */
function withoutSubject(line: string, { commits }: ShellCommand): string {
  return commits.length !== 1 ? line : line.replace(/^(\[[^\]]{1,200} [0-9a-f]{7,40}\]) .*/, '$1');
}

function isDiff(text: string): boolean {
  return text.startsWith('diff --git ') || text.includes('\ndiff --git ');
}

function diffOutcome(text: string, room: number): string {
  const changes = patchChanges(text);
  const files = changes.map((change) => {
    const added = change.hunks.flatMap((hunk) => hunk.added);
    const removed = change.hunks.flatMap((hunk) => hunk.removed);
    const names = outline([...added, ...removed], dialectOf(change.path)).slice(0, 4);
    const size = sizeOf(change.hunks);
    return `${change.path} +${size.added} -${size.removed}${names.length > 0 ? ` (${names.join(', ')})` : ''}`;
  });
  return `Differences in ${counted(changes.length, 'file')}: ${listed(files, room)}`;
}

/** Commands that print the content of files: an error in their output is not an error of the command. */
function isReading(shell: ShellCommand): boolean {
  return /^(?:cat|sed|head|tail|bat|nl|less|grep|rg|find|ls|awk|git (?:show|diff|log|grep|blame))$/.test(
    shell.programs[0] ?? '',
  );
}
