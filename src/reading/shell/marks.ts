import { printedIn } from './lead.ts';
import type { Pipeline } from './script.ts';

/** A line that the script itself prints about the end of a step. */
export interface Mark {
  /** `status`: the exit status is the group of the line. */
  readonly says: 'passed' | 'failed' | 'status';
  readonly line: RegExp;
}

/**
 * The lines by which a script says how its pipeline `at` ended: `&& echo ok`, `|| echo failed`, `; echo "exit $?"`. `$?` is that of the
 * last command of a pipe: `isExact` says whether it is that of the first.
 */
export function marksOf(pipelines: readonly Pipeline[], at: number, isExact: boolean): readonly Mark[] {
  const marks: Mark[] = [];
  const names = [...(isExact ? ['?'] : []), 'PIPESTATUS[0]', 'pipestatus[1]', 'LASTEXITCODE'];
  for (const { commands, follows, sets } of pipelines.slice(at + 1)) {
    const [first = []] = commands;
    const kept = sets.find((one) => names.some((name) => variableIn(one) === name))?.split('=')[0];
    if (kept !== undefined) names.push(kept);
    if (first.length === 0) continue;
    const words = commands.length === 1 ? printedIn(first) : null;
    if (words === null && follows !== ';') break;
    const status = words && statusLine(words, names);
    const line = words && status === null ? literalLine(words) : null;
    if (status !== null) marks.push({ says: 'status', line: status });
    else if (line !== null && follows !== ';' && isExact)
      marks.push({ says: follows === '&&' ? 'passed' : 'failed', line });
    // Any other command has an exit status of its own.
    if (!kept && names[0] === '?') names.shift();
  }
  return marks;
}

/** The lines that a script prints by itself, which say nothing about its programs. */
export function ownLines(pipelines: readonly Pipeline[]): readonly RegExp[] {
  return pipelines.flatMap(({ commands }) => {
    const words = printedIn(commands[0] ?? []);
    return (words && literalLine(words)) ?? [];
  });
}

/** Whether the script ends with the exit status of its pipeline `at`: `; rc=$?; rm -f out; exit $rc`. */
export function isPassedOn(pipelines: readonly Pipeline[], at: number): boolean {
  let name = '?';
  for (const { commands, follows, sets, mustPass } of pipelines.slice(at + 1)) {
    const [[program, word = ''] = []] = commands;
    // One under a condition, or of a subshell, may not be the end.
    if (program === 'exit') return mustPass && variableIn(word) === name;
    const kept = sets.find((one) => variableIn(one) === name)?.split('=')[0];
    const isLost = name === '?' ? follows !== '&&' : sets.some((one) => one.startsWith(`${name}=`));
    if (kept === undefined && isLost) return false;
    name = kept ?? name;
  }
  return false;
}

function variableIn(assignment: string): string {
  return (
    variable
      .exec(assignment.replace(/^\w+=["']?/, ''))
      ?.slice(1)
      .find((name) => name !== undefined) ?? ''
  );
}

/** `$?`, `$rc`, `${rc}`, `${PIPESTATUS[0]}` */
const variable = /\$(?:([?]|\w+)|\{([^}]{1,40})\})/;

/** A line with the value of one of these variables. */
function statusLine(words: readonly string[], names: readonly string[]): RegExp | null {
  const text = printed(words);
  const found = variable.exec(text);
  if (found === null || !names.includes(found[1] ?? found[2] ?? '')) return null;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  // What follows may hold other values.
  return new RegExp(`^${escaped(before)}(\\d{1,3})${/[$`]/.test(after) ? '' : `${escaped(after)}$`}`);
}

function literalLine(words: readonly string[]): RegExp | null {
  const text = printed(words);
  return text === '' || /[$`*]/.test(text) ? null : new RegExp(`^${escaped(text)}$`);
}

function printed(words: readonly string[]): string {
  const plain = words
    .filter((word) => !/^-[neE]+$/.test(word))
    .map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
  return plain.join(' ').replace(/\\n/g, '').trim();
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
}
