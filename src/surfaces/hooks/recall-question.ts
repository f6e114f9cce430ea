import {
  isObject,
  type Json,
  type JsonObject,
  own,
  parseJson,
  stringAt,
  toolFamily,
} from '../../core/event/index.ts';

// The hook. It waits as long as a capture may take (`captureObservationBudgetMs`).
const recallOutputCharsMax = 16_000;
const recallInputCharsMax = 48_000;

/** What the daemon is to be asked, and how the client takes an answer. */
export interface Question {
  /** `nested`: in `hookSpecificOutput` beside the event's name (Claude Code and those after it); `flat`: by itself (Copilot CLI). */
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
 * The question that a hook's payload asks: what fixed this failure earlier? Null for calls that succeeded, tools that run no command,
 * and clients whose hooks take no context (OpenCode, Cursor, Windsurf, Cline).
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
  const input = shortened(opened(own(payload, 'tool_input')));
  const form = isCopilot(payload) ? 'flat' : 'nested';
  return { form, eventName, request: { event: 'failure', tool, input, output, ...whose(payload) } };
}

/** Copilot CLI's hooks in camelCase name no event. */
function copilotFailure(payload: JsonObject): Question | null {
  const tool = stringAt(payload, 'toolName') ?? '';
  if (toolFamily(tool) !== 'command') return null;
  const output = outputOf(
    { error: own(payload, 'error') ?? null, tool_result: own(payload, 'toolResult') ?? null },
    false,
  );
  if (output === null) return null;
  const input = shortened(opened(own(payload, 'toolArgs')));
  return {
    form: 'flat',
    eventName: '',
    request: { event: 'failure', tool, input, output, ...whose(payload) },
  };
}

/** What a failed call said; null of one that did not fail, as far as its client tells. */
function outputOf(payload: JsonObject, isFailure: boolean): string | null {
  const error = textIn(own(payload, 'error'));
  const response = own(payload, 'tool_response') ?? own(payload, 'tool_result') ?? null;
  const inner = isObject(response) ? textIn(own(response, 'error')) : '';
  const said = textIn(response);
  if (isFailure || error !== '') return cut(error === '' ? said : error);
  if (inner !== '') return cut(inner);
  // Only at the ends: in between, the words are the program's own.
  const ends = `${said.slice(0, endChars)}\n${said.slice(-endChars)}`;
  return failedStatus.test(ends) ? cut(said) : null;
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

/** Unlike Claude Code it tells a time, and neither a transcript nor a call's id. */
function isCopilot(payload: JsonObject): boolean {
  return 'timestamp' in payload && !('transcript_path' in payload) && !('tool_use_id' in payload);
}

function whose(payload: JsonObject): { readonly sessionId: string; readonly cwd: string | null } {
  const sessionId = stringAt(payload, 'session_id') ?? stringAt(payload, 'sessionId') ?? '';
  return { sessionId, cwd: stringAt(payload, 'cwd') ?? null };
}

/** Arguments that came as their JSON text. */
function opened(value: Json | undefined): Json {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value ?? null;
  // A text that only begins like JSON is a text.
  return parseJson(value) ?? value;
}

/** Nothing of the request is kept or told: what is compared of it stands at its beginning. */
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
