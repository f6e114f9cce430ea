import { isObject, type Json, jsonText, own, type Payload } from '#core/event';
import { clipped } from '#core/text';
import {
  argument,
  type Call,
  commandText,
  familyOf,
  numberAt,
  pathArguments,
  readCall,
  saysRefused,
  textsIn,
} from '#reading/call';
import { changesIn, type FileChange, sizeOf } from '#reading/edits';
import { isDone, isUnderWay, planStepsIn } from '#reading/plan';
import { questionsIn } from '#reading/subjects';
import { shownPath } from '#reading/text';
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
  const end = endOf(call, io);
  const changes =
    family === 'edit' ? changesIn(call).filter(({ hunks, to }) => hunks.length > 0 || to !== undefined) : [];
  const diffs = changes.map((change) => diffOf(change, call, full, more, io)).join('\n\n');
  if (diffs !== '' && end === '') return diffs;
  const questions = family === 'question' ? questionsIn(call) : [];
  if (questions.some(({ answer }) => answer !== '')) return questionLines(questions, io);
  const steps = family === 'plan' ? planStepsIn(call) : [];
  const why = inLine(argument(call, 'explanation'));
  if (steps.length > 0 && end === '')
    return [...(why === '' ? [] : [inWidth(why, io)]), ...steps.map((step) => stepLine(step, io))].join('\n');
  const head = family === 'command' ? commandLines(call, io) : argumentLines(call, io);
  const output = printable(call.result.text).trimEnd();
  return [
    diffs === '' ? head : `${diffs}\n`,
    ...(output === '' ? [io.style('dim', '(no output)')] : folded(output.split('\n'), full, more, io)),
    ...(end === '' ? [] : [end]),
  ].join('\n');
}

function diffOf(
  { path: file, kind, to, hunks }: FileChange,
  call: Call,
  full: boolean,
  more: string,
  io: Io,
): string {
  const { added, removed } = sizeOf(hunks);
  const path = shownPath(file, call.cwd);
  const name = printable(to === undefined ? path : `${path} -> ${to}`);
  const { failed, refused } = call.result;
  const done = [failed || refused ? 'not changed' : kind, ...howIn(call)].join(', ');
  const size = `${io.style('green', `+${count(added)}`)} ${io.style('red', `-${count(removed)}`)}`;
  const lines = hunks.flatMap((hunk, at) => [...(at === 0 ? [] : ['@']), ...context(hunk.signed(), full)]);
  const shown = full || lines.length <= diffLinesMax ? lines : lines.slice(0, diffLinesMax - 1);
  const left = lines.length - shown.length;
  return [
    `${io.style('bold', name)}  ${done}  ${size}`,
    ...shown.map((line) => diffLine(line, io)),
    ...(left > 0 ? [io.style('dim', `… ${plural(left, 'more line')}: ${more}`)] : []),
  ].join('\n');
}

/** What the arguments of an edit ask for in addition to the change. */
function howIn({ input }: Call): string[] {
  const isOn = (...keys: string[]): boolean => keys.some((key) => own(input, key) === true);
  const places = numberAt(input, 'expected_replacements') ?? 1;
  return [
    isOn('replace_all', 'replaceAll', 'allow_multiple') ? 'each occurrence' : '',
    places > 1 ? plural(places, 'place') : '',
    isOn('dry_run', 'dryRun') ? 'a dry run' : '',
  ].filter(Boolean);
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

function stepLine({ name, status }: ReturnType<typeof planStepsIn>[number], io: Io): string {
  const mark = isDone.test(status) ? '[x]' : isUnderWay.test(status) ? '[>]' : '[ ]';
  return `${mark} ${inWidth(inLine(name), io, 4)}`;
}

/** The file that was read, with its lines, then what else was asked for. */
function argumentLines(call: Call, io: Io): string {
  const path = argument(call, ...pathArguments);
  const lines = path === '' ? '' : linesWords(call.input);
  const known = path === '' ? [] : [...pathArguments, ...(lines === '' ? [] : lineArguments)];
  const rest = Object.entries(call.input).flatMap(([name, value]) => {
    const text = textsIn(value)
      .map((one) => one.text)
      .join(' ');
    if (text === '' || known.includes(name)) return [];
    const words = name
      .replace(/(?<=\w)_(?=\w)/g, ' ')
      .replace(/(?<=[a-z])[A-Z]/g, (one) => ` ${one.toLowerCase()}`);
    return [`${io.style('bold', `${printable(words)}:`)} ${clipped(inLine(text), argumentCharsMax)}`];
  });
  const file = path === '' ? [] : [io.style('bold', printable(shownPath(path, call.cwd))) + lines];
  return [...file, ...rest].map((line) => fitted(line, io)).join('\n');
}

/** The arguments of those that `linesWords` reads. */
const lineArguments = 'offset limit start_line end_line view_range'.split(' ');

/** `, lines 10 to 40` */
function linesWords(input: Call['input']): string {
  const range = own(input, 'view_range');
  const [start, end] = Array.isArray(range)
    ? range.map(Number)
    : [numberAt(input, 'offset', 'start_line'), numberAt(input, 'end_line')];
  const from = Math.max(start ?? 1, 1);
  const limit = numberAt(input, 'limit');
  const to = limit === null ? end : from + limit - 1;
  if (to != null && to > 0) return `, lines ${from} to ${to}`;
  return start == null ? '' : `, from line ${from}`;
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
