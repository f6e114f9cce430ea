import {
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  own,
  parsedArguments,
  stringAt,
} from '../../core/event/index.ts';

/** The client whose form the answer has. */
export type Form = 'claude' | 'gemini' | 'copilot' | 'opencode' | 'cursor' | 'cline';

export interface PlannedCall {
  readonly form: Form;
  readonly tool: string;
  readonly input: Json;
  /** The working directory of the tool and the folders open in the client, when the payload has them. */
  readonly cwd: string | null;
  readonly folders: readonly string[];
}

/**
 * The call in the payload of a pre-tool hook; null for any other event. `client` is the name that the hook was installed with;
 * it decides only the form of the answer.
 */
export function plannedCall(payload: Json, client?: string): PlannedCall | null {
  if (!isObject(payload)) return null;
  for (const read of [readCline, readOpencode, readCopilot, readCursor, readNamed, readPlain]) {
    const call = read(payload);
    if (call !== null) return { ...call, form: formOf(client) ?? call.form };
  }
  return null;
}

/** The form of that client's answers; null for an unknown client. */
export function formOf(client: string | undefined): Form | null {
  return client !== undefined && Object.hasOwn(forms, client) ? (forms[client] ?? null) : null;
}

const forms: Readonly<Record<string, Form>> = {
  'claude-code': 'claude',
  codex: 'claude',
  'qwen-code': 'claude',
  'gemini-cli': 'gemini',
  'copilot-cli': 'copilot',
  opencode: 'opencode',
  cursor: 'cursor',
  cline: 'cline',
};

/** Claude Code, Codex, Qwen Code (`PreToolUse`) and Gemini CLI (`BeforeTool`). */
function readNamed(payload: JsonObject): PlannedCall | null {
  const event = stringAt(payload, 'hook_event_name') ?? stringAt(payload, 'hookEventName');
  const tool = stringAt(payload, 'tool_name');
  if (tool === undefined || !['PreToolUse', 'BeforeTool'].includes(event ?? '')) return null;
  // Copilot CLI's PascalCase hooks send a timestamp, but no transcript and no call id.
  const isCopilot = 'timestamp' in payload && !('transcript_path' in payload) && !('tool_use_id' in payload);
  const form = event === 'BeforeTool' ? 'gemini' : isCopilot ? 'copilot' : 'claude';
  return { form, tool, input: parsedArguments(own(payload, 'tool_input')), ...whereOf(payload) };
}

/** Copilot CLI: no event name, and arguments that may be a JSON text or a patch. */
function readCopilot(payload: JsonObject): PlannedCall | null {
  const tool = stringAt(payload, 'toolName');
  if (tool === undefined || 'toolResult' in payload || 'error' in payload) return null;
  return { form: 'copilot', tool, input: parsedArguments(own(payload, 'toolArgs')), ...whereOf(payload) };
}

/** OpenCode's `tool.execute.before(input, output)`, with the plugin's folder. */
function readOpencode(payload: JsonObject): PlannedCall | null {
  const input = objectAt(payload, 'input');
  const output = objectAt(payload, 'output');
  const tool = input === undefined ? undefined : stringAt(input, 'tool');
  if (tool === undefined || output === undefined || !('args' in output)) return null;
  const cwd = stringAt(payload, 'directory') ?? stringAt(payload, 'cwd') ?? null;
  return { form: 'opencode', tool, input: own(output, 'args') ?? null, cwd, folders: [] };
}

function readCursor(payload: JsonObject): PlannedCall | null {
  const where = whereOf(payload);
  switch (stringAt(payload, 'hook_event_name') ?? '') {
    case 'beforeShellExecution':
      return { form: 'cursor', tool: 'Shell', input: { command: own(payload, 'command') ?? '' }, ...where };
    case 'beforeMCPExecution':
    case 'preToolUse': {
      const input = parsedArguments(own(payload, 'tool_input'));
      return { form: 'cursor', tool: stringAt(payload, 'tool_name') ?? 'unknown', input, ...where };
    }
    default:
      return null;
  }
}

function readCline(payload: JsonObject): PlannedCall | null {
  const call = objectAt(payload, 'preToolUse');
  const tool = call === undefined ? undefined : (stringAt(call, 'toolName') ?? stringAt(call, 'tool'));
  if (call === undefined || tool === undefined) return null;
  return { form: 'cline', tool, input: parsedArguments(own(call, 'parameters')), ...whereOf(payload) };
}

/** The plain shape `{tool, input}`, without a result. */
function readPlain(payload: JsonObject): PlannedCall | null {
  const tool = stringAt(payload, 'tool');
  if (tool === undefined || !('input' in payload) || 'output' in payload) return null;
  return { form: 'claude', tool, input: parsedArguments(own(payload, 'input')), ...whereOf(payload) };
}

function whereOf(payload: JsonObject): { readonly cwd: string | null; readonly folders: readonly string[] } {
  const roots = own(payload, 'workspace_roots') ?? own(payload, 'workspaceRoots') ?? [];
  const folders = Array.isArray(roots)
    ? roots.filter((one): one is string => typeof one === 'string' && one !== '')
    : [];
  return { cwd: stringAt(payload, 'cwd') || folders[0] || null, folders };
}
