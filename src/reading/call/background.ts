import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';
import { edgesOf } from '#reading/text';

/** Work that goes on after the call that started it. */
export interface Started {
  /** The client's id, by which its end is reported; null where the client gives none. */
  readonly task: string | null;
}

/** The work that a call left running, by its fields and the text of its output as recorded; null when it ended with the call. */
export function startedIn(input: JsonObject, output: Json, text: string): Started | null {
  const fields = isObject(output) ? output : {};
  const isAsync = own(fields, 'status') === 'async_launched';
  const given = stringAt(fields, 'backgroundTaskId') || (isAsync ? stringAt(fields, 'taskId') : '');
  if (given) return { task: given };
  const edges = edgesOf(text, edgeChars);
  for (const [says, id] of notices) {
    const found = says.exec(edges);
    if (found === null) continue;
    const rest = edges.slice(found.index, found.index + found[0].length + idWithinChars);
    return { task: id.exec(rest)?.[1] ?? null };
  }
  const isAsked = ['run_in_background', 'is_background', 'isBackground'].some(
    (key) => own(input, key) === true,
  );
  return isAsked && text.trim() === '' ? { task: null } : null;
}

const edgeChars = 600;
const idWithinChars = 120;

/** The words of clients for work that goes on, and for its id in or behind them. */
const notices: readonly (readonly [says: RegExp, id: RegExp])[] = [
  // Claude Code, Gemini CLI, Qwen Code, Cursor.
  [
    /^(?:Command|The command|MCP tool|Background (?:command|shell))\b[^\n]{0,300}?(?:running in (?:the )?background|moved to (?:the )?background|backgrounded by user)|^Background (?:command|shell) started/,
    /(?:with ID:|\(ID:|as task|PID:|\nid:)\s*([\w.-]{0,80}\w)/,
  ],
  [/^Async agent launched successfully/, /agentId: (\w[\w-]{0,80})/],
  // Codex.
  [/^(?:Script|Process) running with session\b/m, /session(?: ID)? ([\w-]{1,40})/],
  // Copilot CLI.
  [
    /<command (?:started in (?:\w+ )?background )?with shellId: [^<>\s]{1,80}(?:>| is still running)/,
    /shellId: ([^<>\s]{1,80})/,
  ],
  // VS Code.
  [/^Command is running in terminal with ID=/, /ID=([\w-]{1,80})/],
];
