import { type Ended, isObject, type Json, type JsonObject, own, type Payload } from '#core/event';
import { builtinDepthMax } from '#core/limits';
import { edgesOf } from '#reading/text';
import { startedIn } from './background.ts';

/** The result of a tool. */
export interface Result {
  /** The output as text, without the client's wrapping. */
  readonly text: string;
  /** Null when the result does not show it. */
  readonly exitCode: number | null;
  /** Whether a failure would show: Codex's hook does not say how a command ended. */
  readonly exitKnown: boolean;
  readonly failed: boolean;
  /** The user refused the call. */
  readonly refused: boolean;
  /** It never ran: another call of the turn failed, or the user stopped the turn. */
  readonly cancelled: boolean;
  /** It was started and goes on: its end is not known (yet). */
  readonly running: boolean;
  /** Someone or a time limit ended it. */
  readonly stopped: boolean;
}

/** The result of a call with these arguments. `ended`: of what it started in the background, in place of its own. */
export function resultOf(
  input: JsonObject,
  call: Pick<Payload, 'output' | 'isError' | 'client' | 'ended' | 'unfinished' | 'refused'>,
): Result {
  const { output, isError, client, ended, unfinished } = call;
  const wrapped = textOf(output, 0);
  const text = unwrap(wrapped);
  const started = unfinished ? { task: null } : isError ? null : startedIn(input, output, wrapped);
  if (started !== null && ended !== undefined) return endedResult(text, ended);
  const exitCode = started === null ? (exitCodeIn(wrapped) ?? exitCodeAt(output)) : null;
  const edges = edgesOf(text, edgeChars);
  const refused = call.refused === true || saysRefused(text);
  const byUser = !refused && stoppedByUser.test(edges);
  return {
    text,
    exitCode,
    exitKnown: client !== 'codex' || exitCode !== null || isError,
    failed:
      refused ||
      (!byUser &&
        (isError || (exitCode !== null && exitCode !== 0) || wrapped.startsWith('<tool_use_error>'))),
    refused,
    cancelled: text.length < 200 && /^(?:Sibling tool call errored|Cancelled: parallel tool call)/.test(text),
    running: started !== null,
    stopped: byUser || timedOut.test(edges),
  };
}

/** What was printed before may be repeated in the output at the end. */
function endedResult(before: string, { failed, exitCode, output }: Ended): Result {
  const said = startNotice.test(before) || output.includes(before) ? output : `${before}\n${output}`;
  const text = unwrap(said);
  const stopped = failed === null;
  return {
    text,
    exitCode,
    exitKnown: true,
    failed: failed === true,
    refused: false,
    cancelled: false,
    running: false,
    stopped,
  };
}

const startNotice =
  /^(?:Command|The command|MCP tool|Background|Async agent|<command)\b[^\n]{0,400}\b(?:background|launched)/;

/** Whether a client says in place of a result that the user refused the call. */
export function saysRefused(text: string): boolean {
  return refusal.test(text.slice(0, 200));
}

/** Claude Code; Gemini CLI and Qwen Code; OpenCode. */
const refusal =
  /^(?:The user doesn't want to|Permission to use |\[Operation Cancelled\] Reason: User did not allow|(?:Error: )?The user (?:has )?rejected (?:this tool call|permission))/;

/** Gemini CLI and Qwen Code; Codex; OpenCode; Claude Code. What it would have ended like is not known. */
const stoppedByUser =
  /^\[Operation Cancelled\]|^Command was cancelled by user before it could complete|^aborted by user after [\d.]+s|^(?:<bash_metadata>\n)?User aborted the command$|^(?:Error: )?Tool execution aborted$|^\[Request interrupted by user/m;

/** Claude Code, OpenCode, Codex, Gemini CLI. */
const timedOut =
  /^Command timed out after|^command timed out after \d+ milliseconds|tool terminated command after exceeding timeout|^Command was automatically cancelled because it exceeded/m;

/** Keys under which clients keep the text of a result, in order of preference. */
const textKeys =
  'llmContent textResultForLlm text_result_for_llm returnDisplay text content output result results file error message'.split(
    ' ',
  );

export function textOf(value: Json | undefined, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (depth >= builtinDepthMax) return '';
  if (Array.isArray(value)) {
    return value
      .map((item: Json) => textOf(item, depth + 1))
      .filter((text) => text !== '')
      .join('\n');
  }
  if (!isObject(value)) return '';
  return streams(value) ?? firstText(value, depth);
}

function streams(value: JsonObject): string | undefined {
  const stdout = own(value, 'stdout');
  const stderr = own(value, 'stderr');
  if (typeof stdout !== 'string' && typeof stderr !== 'string') return undefined;
  const texts = [stdout, stderr].filter((text) => typeof text === 'string');
  return texts.filter((text) => text !== '').join('\n');
}

function firstText(value: JsonObject, depth: number): string {
  for (const key of textKeys) {
    const text = textOf(own(value, key), depth + 1);
    if (text.trim() !== '') return text;
  }
  return '';
}

const exitPatterns = [
  /^Exit (?:code:?|Code:) (-?\d{1,6})\b/m,
  /<shellId: \S{1,40} completed with exit code (-?\d{1,6})>/,
  /^Process exited with code (-?\d{1,6})\b/m,
];
const edgeChars = 400;

/** Reads only the two ends: the text between is the output of the program. */
function exitCodeIn(text: string): number | null {
  const edges = edgesOf(text, edgeChars);
  for (const pattern of exitPatterns) {
    const code = pattern.exec(edges)?.[1];
    if (code !== undefined) return Number(code);
  }
  return null;
}

function exitCodeAt(output: Json): number | null {
  if (!isObject(output)) return null;
  for (const key of ['exitCode', 'exit_code', 'exit', 'returnCode', 'metadata']) {
    const value = own(output, key);
    if (typeof value === 'number') return value;
    if (isObject(value)) return exitCodeAt(value);
  }
  return null;
}

/** Lines that a client puts around an output. */
const wrapping =
  /^(?:Exit code:? -?\d+|Exit Code: -?\d+|Wall time: .*|Chunk ID: .*|Process (?:exited with code|running with session) .*|<command with shellId: .*|Original token count: .*|Command: .*|Directory: \(root\)|Directory: .*|Output:|Error: \(none\)|Signal: \(none\)|Process Group PGID: .*|Background PIDs: .*|<\/?untrusted_context>|<shellId: .*>|<\/?(?:content|output|stdout|stderr|path|type)>)$/;

function unwrap(text: string): string {
  let plain = text;
  if (plain.includes('<system-reminder>')) plain = withoutReminders(plain);
  if (plain.startsWith('<tool_use_error>')) plain = plain.slice(16).replace('</tool_use_error>', '');
  const lines = plain.split('\n');
  return lines
    .filter((line, at) => !((at < 8 || at >= lines.length - 8) && line.length < 300 && wrapping.test(line)))
    .map((line, at) => (at < 8 && line.startsWith('Output: ') ? line.slice(8) : line))
    .join('\n')
    .trim();
}

/** A reminder is from the client to its model, not from the tool. */
function withoutReminders(text: string): string {
  const [first = '', ...rest] = text.split('<system-reminder>');
  return [first, ...rest.map((part) => part.split('</system-reminder>').slice(1).join(''))].join('');
}

/**
 * The user's words on refusing a call, or an empty text. A note that the client adds for its model is not part of it.
 */
export function refusalReason({ text }: Pick<Result, 'text'>): string {
  const reason = /\bthe user said:\s*([\s\S]*)/.exec(text)?.[1] ?? '';
  return reason.replace(/\nNote: [\s\S]*$/, '').trim();
}
