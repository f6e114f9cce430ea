import { isObject, type Json, jsonText, type Payload } from '../../core/event/index.ts';
import { clipped } from '../../core/text/index.ts';
import {
  type Call,
  commandText,
  familyOf,
  readCall,
  saysRefused,
  textsIn,
} from '../../reading/call/index.ts';
import { changesIn, type FileChange, sizeOf } from '../../reading/edits/index.ts';
import { questionsIn } from '../../reading/subjects/index.ts';
import type { Io } from './io.ts';
import { inWidth } from './show.ts';
import { count, fitted, inLine, plural, printable } from './words.ts';

const headLines = 20;
const tailLines = 20;
const diffLinesMax = 80;
const contextLines = 3;
const argumentCharsMax = 200;

/** A recorded call, whose shape the daemon and the commands share; null for one that is cut or was left out. */
export function callIn(payload: Json): Call | null {
  return isObject(payload) ? readCall(payload as unknown as Payload) : null;
}

/** A call as a person reads it: an edit as a diff, a command with its output, else arguments and output; folded unless `full`. */
export function callLines(id: number, payload: Json, full: boolean, io: Io): string {
  const call = callIn(payload);
  if (call === null) return printable(typeof payload === 'string' ? payload : jsonText(payload));
  const family = familyOf(call);
  const more = `mem show ${id} --full`;
  if (family === 'edit' && !call.result.failed) {
    const changes = changesIn(call).filter(({ hunks, to }) => hunks.length > 0 || to !== undefined);
    if (changes.length > 0)
      return changes.map((change) => diffOf(change, call.cwd ?? '', full, more, io)).join('\n\n');
  }
  const questions = family === 'question' ? questionsIn(call) : [];
  if (questions.some(({ answer }) => answer !== '')) return questionLines(questions, io);
  const head = family === 'command' ? commandLines(call, io) : argumentLines(call, io);
  const output = printable(call.result.text).trimEnd();
  const end = endOf(call, io);
  return [
    head,
    ...(output === '' ? [io.style('dim', '(no output)')] : folded(output.split('\n'), full, more, io)),
    ...(end === '' ? [] : [end]),
  ].join('\n');
}

function diffOf(
  { path: file, kind, to, hunks }: FileChange,
  folder: string,
  full: boolean,
  more: string,
  io: Io,
): string {
  const { added, removed } = sizeOf(hunks);
  const path = folder !== '' && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  const name = printable(to === undefined ? path : `${path} -> ${to}`);
  const size = `${io.style('green', `+${count(added)}`)} ${io.style('red', `-${count(removed)}`)}`;
  const lines = hunks.flatMap((hunk, at) => [...(at === 0 ? [] : ['@']), ...context(hunk.signed(), full)]);
  const shown = full || lines.length <= diffLinesMax ? lines : lines.slice(0, diffLinesMax - 1);
  const left = lines.length - shown.length;
  return [
    `${io.style('bold', name)}  ${kind}  ${size}`,
    ...shown.map((line) => diffLine(line, io)),
    ...(left > 0 ? [io.style('dim', `… ${plural(left, 'more line')}: ${more}`)] : []),
  ].join('\n');
}

function diffLine(line: string, io: Io): string {
  if (line === '@') return io.style('dim', '  ⋮');
  const text = printable(line).replaceAll('\t', '    ');
  if (line.startsWith('+')) return io.style('green', text);
  return line.startsWith('-') ? io.style('red', text) : text;
}

/** Without unchanged lines far from a change. */
function context(lines: readonly string[], full: boolean): string[] {
  if (full) return [...lines];
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - contextLines), at + contextLines + 1).some((line) => !line.startsWith(' '));
  const shown: string[] = [];
  lines.forEach((line, at) => {
    if (isNear(at)) shown.push(line);
    else if (shown.at(-1) !== '@' && shown.length > 0) shown.push('@');
  });
  return shown.at(-1) === '@' ? shown.slice(0, -1) : shown;
}

function commandLines(call: Call, io: Io): string {
  const command = printable(commandText(call)).trimEnd();
  const [first = '', ...rest] = command.split('\n');
  const lines = [`$ ${first}`, ...rest.map((line) => `  ${line}`)].map((line) => io.style('bold', line));
  return call.cwd === null
    ? lines.join('\n')
    : [io.style('dim', `in ${printable(call.cwd)}`), ...lines].join('\n');
}

function questionLines(questions: ReturnType<typeof questionsIn>, io: Io): string {
  return questions
    .map(({ question, offered, answer }) =>
      [
        inWidth(inLine(question), io),
        ...(offered.length === 0
          ? []
          : [io.style('dim', `  offered   ${inWidth(inLine(offered.join(' · ')), io, 12)}`)]),
        `  answered  ${io.style('bold', inWidth(inLine(answer || 'nothing'), io, 12))}`,
      ].join('\n'),
    )
    .join('\n\n');
}

function argumentLines(call: Call, io: Io): string {
  return Object.entries(call.input)
    .map(([name, value]) => {
      const text = textsIn(value)
        .map((one) => one.text)
        .join(' ');
      const shown = clipped(inLine(text), argumentCharsMax);
      return fitted(`${io.style('bold', `${printable(name)}:`)} ${shown}`, io);
    })
    .join('\n');
}

function endOf(call: Call, io: Io): string {
  const { exitCode, failed, refused, text } = call.result;
  if (refused) return io.style('yellow', saysRefused(text) ? 'refused by the user' : 'refused');
  if (exitCode !== null && exitCode !== 0) return io.style('red', `exit ${exitCode}`);
  return failed ? io.style('red', 'failed') : '';
}

function folded(lines: readonly string[], full: boolean, more: string, io: Io): string[] {
  const left = lines.length - headLines - tailLines;
  if (full || left <= 1) return [...lines];
  return [
    ...lines.slice(0, headLines),
    io.style('dim', `… ${plural(left, 'more line')}: ${more}`),
    ...lines.slice(-tailLines),
  ];
}
