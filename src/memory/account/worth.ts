import path from 'node:path';
import { type ToolFamily, toolFamily } from '#core/event';
import { type Call, commandText, familyOf } from '#reading/call';
import { commandRun, committed, fixes, isCommit, missingIn } from '#reading/checks';
import { onlyLooks, type Steps } from '#reading/shell';
import type { Subject } from '#reading/subjects';
import { dialectOf, isScratch, oneLine } from '#reading/text';

/** Of which nobody asks how it was typed; what is asked of a tracker or filed in it is not run again. */
const tidies =
  /^(?:rm|mv|cp|mkdir|rmdir|touch|chmod|chown|ln|sleep|open|export|source|cd|wait|Remove-Item|New-Item|Copy-Item|Move-Item|Set-\w+|Out-\w+|Get-\w+|Select-\w+|ConvertFrom-\w+|Test-Path|ForEach-Object|Where-Object|\$\S*)$|^(?:bd|gh (?:api|project|issue|pr|label|release|run))\b/;
/** The verb of a command that only asks. */
const asks =
  /^(?:\S+ )?(?:ready|list|ls|show|status|info|view|diff|describe|search|\w+-list|--version|--help)$|^(?:ready|list|ls|show|status|info|view|diff|describe|search|--version|--help)\b/;

/** Commands that only look, tidy or list. */
export function helpsNobody(programs: readonly string[], { steps }: Steps): boolean {
  return programs.every(isMinorProgram) || steps.every(onlyAsks);
}

function isMinorProgram(program: string): boolean {
  return tidies.test(program) || onlyLooks([program.replace(/^[({]+/, '')]);
}

/** A step that only looks, tidies or asks. */
export function isMinor(step: Steps['steps'][number]): boolean {
  return isMinorProgram(step.words[0] ?? '') || onlyAsks(step);
}

function onlyAsks({ words }: Steps['steps'][number]): boolean {
  return asks.test(words.slice(1, 3).join(' ')) || reads.test(words.join(' '));
}

/** A request to the API of a host without anything to send. */
const reads = /^gh api (?!.* (?:-X|-f|-F|--method|--field|--raw-field|--input)\b)/;

/** Of one thing, never run again: `cat f | node -e '...'`, `gh api`, a script that stands on the line, what names a commit or a run, a try in a temporary folder. */
export function looksOnce({ steps }: Steps, root: string | null): boolean {
  const isOnce = ({ words, folder }: Steps['steps'][number]): boolean =>
    once.test(words.slice(0, 4).join(' ')) ||
    words.some((word) => oneOf.test(word)) ||
    isScratch(`${folder}/`, root);
  return steps.some(isOnce) && steps.every((step) => isOnce(step) || isMinor(step));
}

/** The id of a commit, a run or a session. */
const oneOf = /^(?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}|\d{9,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{20,})$/;

const once =
  /^(?:(?:find|head|tail|cat|gh api|(?:Get|Write|Select)-\w+)\b|[$"'{]|(?:node|python3?|ruby|perl|deno|bun)(?: -\S+)* (?:-[ecp]|--eval|--print|eval|-)(?: |$))/;

/** The first step of a command, without options and numbers: `./board.sh add #`. */
export function workIn({ steps }: Steps): string {
  const words = steps[0]?.words.filter((word) => !word.startsWith('-')) ?? [];
  return words.slice(0, 3).join(' ').replace(/\d+/g, '#');
}

/** What a command runs, without what it runs it with: a retry has other options. */
export function toolOf(command: string): string {
  const [, program = command, verb = ''] =
    /^(?:\s*cd [^;&|]+(?:&&|;))?\s*(?:\w+=(?:"[^"]*"|'[^']*'|\S+) )*(\S+)(?: -\S+)*(?: (?:run )?([\w:-]+))?/.exec(
      command,
    ) ?? [];
  return `${program} ${verb}`;
}

/** The files that a call changed. Prose and pictures do not change what the checks prove. */
export function codeChanged({ result }: Call, subjects: readonly Subject[]): string[] {
  if (result.failed || result.refused) return [];
  return subjects.flatMap(({ kind, name, outcome }) =>
    kind === 'file' && changes.test(outcome) && isCode(name) ? [name] : [],
  );
}

export function isCode(path: string): boolean {
  return dialectOf(path) !== 'prose' && !noCode.test(path);
}

const changes = /^(?:changed|created|removed)$/;
const noCode =
  /\.(?:png|jpe?g|gif|ico|webp|pdf)$|(?:^|\/)(?:\.gitignore|\.gitattributes|LICENSE|CODEOWNERS)$/;

/** Whether a failure matters: not for a search without results, nor for a call that the client cancelled. */
export function isWork(family: string, call: Call): boolean {
  if (family === 'read' || family === 'search' || family === 'plan' || call.result.cancelled) return false;
  if (family !== 'command') return true;
  const { programs, steps } = commandRun(call).shell;
  const last = programs.findLast((program) => !neverFails.test(program));
  return programs.length === 0 || (steps.length > 0 && last !== undefined && !onlyLooks([last]));
}

/** In a chain that failed it was another one. */
const neverFails = /^(?:echo|printf|pwd|date|git (?:status|log|diff|show|branch))$/;

/** A command that failed, and is neither a check, a search, an obstacle, nor one that a person or a time limit ended. */
export function isStuck(call: Call): boolean {
  const { failed, refused, cancelled, exitCode } = call.result;
  if (familyOf(call) !== 'command' || !failed || refused || cancelled) return false;
  if (exitCode !== null && [124, 127, 130, 137, 143].includes(exitCode)) return false;
  return commandRun(call).checks.length === 0 && missingIn(call) === null && isWork('command', call);
}

/** Its time grows with the square. */
const longCommand = 4_000;
const untilCommit = /^.*\bgit commit\b(?:[^&;"']|"[^"]*"|'[^']*')*(?:&&|;)\s*/s;

export function troubleName(subjects: readonly Subject[], call: Call, family: string): string {
  if (family === 'command') {
    const whole = commandText(call);
    const { result } = call;
    const isMade = result.failed && committed(whole, result);
    if (isCommit(whole) && !isMade) return 'git commit';
    // It was the push behind the commit.
    const text = isMade && whole.length < longCommand ? whole.replace(untilCommit, '') : whole;
    const [run, other] = subjects.filter(({ kind }) => kind === 'command');
    // Which one of several failed is not known. A retry has other options.
    const isOne =
      other === undefined && !/&&|;/.test(text.replace(/^\s*cd [^;&|]+(?:&&|;)|;\s*echo\b[^;&|]*$/g, ''));
    return (isOne && run !== undefined ? run.name : oneLine(text, 200)).replace(
      /^(git (?:push|pull|rebase|merge|add)) (?!.*(?:&&|;)).*$/s,
      (named, verb: string) => (onlyTries.test(named) ? named : verb),
    );
  }
  const file = subjects.find(({ kind }) => kind === 'file');
  return file === undefined ? call.tool : `${family === 'edit' ? 'edit of' : call.tool} ${file.name}`;
}

/** Whether a call does something that no edit, check or look does: it files a ticket, mounts a disk, starts a service. */
export function acts(call: Call, family: ToolFamily): boolean {
  if (call.result.failed || call.result.refused || call.result.cancelled) return false;
  if (family === 'command') {
    const { shell, checks } = commandRun(call);
    const programs = shell.programs.filter((program) => !/^(?:git|cd|echo|sleep)\b/.test(program));
    const isAsking = shell.steps.length > 0 && shell.steps.every(onlyAsks);
    if (shell.steps.some(({ words }) => inPlace.test(words.join(' ')))) return true;
    return checks.length === 0 && programs.length > 0 && !onlyLooks(programs) && !isAsking;
  }
  return family === 'other' && toolFamily(call.tool) === 'other' && !asking.test(call.tool);
}

/** A filter that writes into its files. */
const inPlace = /^(?:g?sed|perl|awk|gawk|yq) (?:-\S+ )*(?:-\w*i\b\S*|--in-place\b|-i\w* inplace)/;

/** Agents that change nothing. */
export const onlyReads = /^(?:explore|plan|codebase_investigator)$/i;

/** A script, an installer, a generator or a formatter: no call shows which files it changed. */
export function changesUnseen(call: Call, acted: boolean): boolean {
  const { checks, shell } = commandRun(call);
  return acted ? !helpsNobody(shell.programs, shell) : checks.some(({ name }) => fixes.test(name));
}

/** Tools of a server that only ask, by their verb. */
const asking =
  /(?:^|_)(?:get|list|read|search|find|fetch|query|view|show|describe|lookup|check|resolve|status)/i;

/** What a piece of code imports is no tool of the project. */
export const inline = /\b(?:python3?|node|ruby|perl)\s(?:-\w+\s)*-[ce]\b|<</;

/** Several checks come first as one. */
export function namesOf(checks: readonly { readonly name: string }[]): string[] {
  return checks.slice(checks.length > 1 ? 1 : 0).map(({ name }) => name);
}

/** As typed; a folder change on a line of its own is joined to what it is for. */
export function typedIn(call: Call): string {
  return commandText(call).replace(/^(\s*cd [^\n;&|]+)\n\s*/, '$1 && ');
}

/** As it can be run again from the folder `root`. */
export function typedFrom(root: string | null, call: Call): string {
  const typed = commandText(call).trim();
  const folder = root === null || call.cwd === null ? '' : path.relative(root, call.cwd);
  const isBelow = /^\w[\w./-]*$/.test(folder) && typed !== '' && !/^(?:cd|pushd|Push-Location)\b/.test(typed);
  return isBelow ? `cd ${folder} && ${typed}` : typed;
}

export function pushes({ kind, name }: Pick<Subject, 'kind' | 'name'>): boolean {
  return kind === 'command' && /^git push\b/.test(name) && !onlyTries.test(name);
}

/** An option of git with which nothing is done. */
const onlyTries = /\B-(?:n|-dry-run|-help)\b/;

/** Whether a call lists a folder in place of reading a file. Copilot CLI numbers the lines of a file. */
export function listsFolder(name: string, { tool, result: { text } }: Call): boolean {
  const isListed = tool === 'view' && !/\.\w+$/.test(name) && !/^1\. /.test(text);
  return name === '.' || isListed || /<type>directory<\/type>/.test(text.slice(0, 2_000));
}
