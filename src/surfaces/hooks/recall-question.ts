import {
  isObject,
  type Json,
  type JsonObject,
  own,
  parsedArguments,
  stringAt,
  toolFamily,
} from '../../core/event/index.ts';

// The hook. It waits as long as a capture may take (`captureObservationBudgetMs`).
const recallOutputCharsMax = 16_000;
const recallInputCharsMax = 48_000;

/** The request to the daemon, and the form of the answer to the client. */
export interface Question {
  /** `nested`: in `hookSpecificOutput` with the event's name (Claude Code and similar clients); `flat`: alone (Copilot CLI). */
  readonly form: 'nested' | 'flat';
  readonly eventName: string;
  readonly request: {
    readonly event: 'failure';
    readonly tool: string;
    readonly input: Json;
    readonly output: string;
    readonly sessionId: string;
    readonly cwd: string | null;
  };
}

/**
 * The request for a hook's payload: what fixed this failure earlier? Null for calls that succeeded, tools that run no command, and
 * clients whose hooks take no context (OpenCode, Cursor, Windsurf, Cline).
 */
export function questionIn(payload: JsonObject): Question | null {
  const eventName = stringAt(payload, 'hook_event_name') ?? '';
  switch (eventName) {
    case 'PostToolUseFailure':
    case 'PostToolUse':
    case 'AfterTool':
      return failure(eventName, payload);
    case '':
      return copilotFailure(payload);
    default:
      return null;
  }
}

function failure(eventName: string, payload: JsonObject): Question | null {
  const tool = stringAt(payload, 'tool_name') ?? '';
  if (toolFamily(tool) !== 'command' || own(payload, 'is_interrupt') === true) return null;
  const output = outputOf(payload, eventName === 'PostToolUseFailure');
  if (output === null) return null;
  const input = shortened(parsedArguments(own(payload, 'tool_input')));
  const form = isCopilot(payload) ? 'flat' : 'nested';
  return { form, eventName, request: { event: 'failure', tool, input, output, ...whose(payload) } };
}

/** Copilot CLI's hooks in camelCase have no event name. */
function copilotFailure(payload: JsonObject): Question | null {
  const tool = stringAt(payload, 'toolName') ?? '';
  if (toolFamily(tool) !== 'command') return null;
  const output = outputOf(
    { error: own(payload, 'error') ?? null, tool_result: own(payload, 'toolResult') ?? null },
    false,
  );
  if (output === null) return null;
  const input = shortened(parsedArguments(own(payload, 'toolArgs')));
  return {
    form: 'flat',
    eventName: '',
    request: { event: 'failure', tool, input, output, ...whose(payload) },
  };
}

/** The output of a failed call; null when the client reports no failure. */
function outputOf(payload: JsonObject, isFailure: boolean): string | null {
  const error = textIn(own(payload, 'error'));
  const response = own(payload, 'tool_response') ?? own(payload, 'tool_result') ?? null;
  const inner = isObject(response) ? textIn(own(response, 'error')) : '';
  const text = textIn(response);
  if (isFailure || error !== '') return cut(error === '' ? text : error);
  if (inner !== '') return cut(inner);
  // Only at the ends: the text between them is the program's.
  const ends = `${text.slice(0, endChars)}\n${text.slice(-endChars)}`;
  return failedStatus.test(ends) ? cut(text) : null;
}

const endChars = 400;
const failedStatus =
  /^(?:Exit code:?|Exit Code:|Process exited with code) [1-9]\d*\s*$|<shellId: [^<>\n]{1,40} completed with exit code [1-9]\d*>\s*$/m;

function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return '';
  for (const key of [
    'llmContent',
    'textResultForLlm',
    'text_result_for_llm',
    'message',
    'stderr',
    'output',
  ]) {
    const text = stringAt(value, key);
    if (text !== undefined && text !== '') return text;
  }
  return '';
}

/** Unlike Claude Code it sends a time, and no transcript path or call id. */
function isCopilot(payload: JsonObject): boolean {
  return 'timestamp' in payload && !('transcript_path' in payload) && !('tool_use_id' in payload);
}

function whose(payload: JsonObject): { readonly sessionId: string; readonly cwd: string | null } {
  const sessionId = stringAt(payload, 'session_id') ?? stringAt(payload, 'sessionId') ?? '';
  return { sessionId, cwd: stringAt(payload, 'cwd') ?? null };
}

/** Only the beginning of the input is compared. */
function shortened(value: Json): Json {
  if (typeof value === 'string') return value.slice(0, recallInputCharsMax);
  if (JSON.stringify(value).length <= recallInputCharsMax || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string'
        ? inner.slice(0, recallInputCharsMax)
        : JSON.stringify(inner).length > recallInputCharsMax
          ? null
          : inner,
    ]),
  );
}

function cut(text: string): string {
  if (text.length <= recallOutputCharsMax) return text;
  const half = recallOutputCharsMax / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}
