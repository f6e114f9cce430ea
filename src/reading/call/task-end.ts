import { type Ended, endNoticeTool, isObject, type JsonObject, objectAt, own } from '#core/event';
import { type Started, startedIn } from './background.ts';
import { argument, type Call, textAt } from './call.ts';
import { textOf } from './result.ts';

/** The end of work in the background, as a later call or a notification reports it. */
export interface TaskEnd extends Started, Omit<Ended, 'by'> {
  /** The id of the call that started it, where the client names it. */
  readonly startedBy: string | null;
}

/** The work that a call left running, whether its end is known by now or not; null when it ended with the call. */
export function startedTask(call: Call): Started | null {
  return startedIn(call.input, call.output, textOf(call.output, 0));
}

/** Whether a call of this tool may report the end of other work. */
export function reportsEnds(tool: string): boolean {
  return tool === endNoticeTool || asking.test(tool) || stopping.test(tool);
}

/** The end that a call reports of work that another one started; null for other calls and while the work goes on. */
export function endOf(call: Call): TaskEnd | null {
  const { refused, cancelled, failed } = call.result;
  if (!reportsEnds(call.tool) || refused || cancelled) return null;
  const task = argument(call, ...taskKeys) || null;
  const startedBy = argument(call, 'tool_use_id') || null;
  if (task === null && startedBy === null) return null;
  if (stopping.test(call.tool))
    return failed ? null : { task, startedBy, failed: null, exitCode: null, output: '' };
  const end = endIn(call);
  return end === null ? null : { task, startedBy, ...end, output: outputIn(call) };
}

/** Tools of Claude Code, Codex, Copilot CLI, Gemini CLI and VS Code. */
const asking =
  /^(?:(?:task|bash|agent)output(?:tool)?|write_stdin|(?:read|write)_(?:bash|powershell)|read_background_output|get_terminal_output)$/i;
const stopping = /^(?:taskstop|kill(?:shell|bash)|stop_(?:bash|powershell)|kill_terminal)$/i;
const taskKeys = ['task_id', 'bash_id', 'shell_id', 'shellId', 'session_id', 'agentId', 'pid', 'id'];

/** By the fields of the output, or by elements in its text. */
function endIn(call: Call): Pick<TaskEnd, 'failed' | 'exitCode'> | null {
  const { text, exitCode: printed } = call.result;
  const fields = fieldsOf(call);
  const status = textAt(fields, 'status') || (element(text, 'status') ?? '');
  if (/^(?:running|pending|queued)$/.test(status)) return null;
  const code = own(fields, 'exitCode') ?? own(fields, 'exit_code') ?? element(text, 'exit_code') ?? printed;
  const exitCode =
    typeof code === 'number' || (typeof code === 'string' && /^-?\d{1,10}$/.test(code)) ? Number(code) : null;
  if (exitCode !== null) return { exitCode, failed: exitCode !== 0 };
  if (status === '') return null;
  if (/^(?:completed|success|done)$/.test(status)) return { exitCode, failed: false };
  return { exitCode, failed: /^(?:failed|error)/.test(status) ? true : null };
}

function outputIn(call: Call): string {
  const { text } = call.result;
  const fields = fieldsOf(call);
  const parts = ['output', 'stdout', 'stderr'].map(
    (name) => textAt(fields, name) || (element(text, name) ?? ''),
  );
  const isPlain = !isObject(call.output) && element(text, 'status') === null;
  return isPlain ? text : parts.filter((part) => part.trim() !== '').join('\n');
}

function fieldsOf({ output }: Call): JsonObject {
  return isObject(output) ? (objectAt(output, 'task') ?? output) : {};
}

/** The content of an element of the text, or null. */
function element(text: string, name: string): string | null {
  const from = text.indexOf(`<${name}>`);
  const to = text.lastIndexOf(`</${name}>`);
  return from < 0 || to < from ? null : text.slice(from + name.length + 2, to);
}
