import {
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsAt,
  own,
  parseObject,
  type SessionParent,
  stringAt,
} from '#core/event';
import {
  blocksText,
  errorText,
  type Known,
  messageOf,
  nowhere,
  PendingCalls,
  parsedJson,
  type ReadCall,
  type ReadItem,
  type TranscriptFormat,
  type TranscriptReader,
  type TypedIn,
  type Where,
  without,
} from '../form/index.ts';
import { saysFailed } from './payload.ts';

/**
 * Codex's `rollout-*.jsonl`: `function_call`, `custom_tool_call` or `local_shell_call`, later its `*_output`;
 * between them an event with what the hook reports (exit status, an MCP tool's whole result).
 */
const rollouts: TranscriptFormat = {
  recognises: (record) =>
    objectAt(record, 'payload') !== undefined && kinds.has(stringAt(record, 'type') ?? ''),
  open: () => new CodexReader(),
};

export const transcripts = [rollouts];

const kinds = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'world_state']);

interface Begun {
  readonly tool: string;
  readonly input: Json;
  result?: Json;
  exitCode?: number;
}

class CodexReader implements TranscriptReader {
  readonly pending = new PendingCalls<Begun>();
  #session: string | null = null;
  #cwd: string | null = null;
  #isHelper = false;
  /** Of a helper; its hooks name it so. */
  #agent: string | null = null;
  #turn: string | null = null;
  #parent: SessionParent | null = null;
  where: Where = nowhere;

  read(record: JsonObject, bytes: number, { typedIn }: Known): readonly ReadItem[] {
    const payload = objectAt(record, 'payload');
    const parent = this.#parent;
    this.where = {
      sessionId: this.#session,
      ts: record.timestamp,
      cwd: this.#cwd,
      ...(parent && { parent }),
    };
    if (payload === undefined) return [];
    return [...this.#calls(record, payload, bytes), ...this.#messages(record, payload, typedIn)];
  }

  #calls(record: JsonObject, payload: JsonObject, bytes: number): readonly ReadCall[] {
    switch (stringAt(record, 'type') ?? '') {
      case 'session_meta':
        // A fork repeats its parent's record after its own.
        if (this.#session === null) {
          this.#isHelper = isHelper(payload);
          this.#agent = this.#isHelper ? (stringAt(payload, 'id') ?? null) : null;
          this.#session = stringAt(payload, 'session_id') ?? stringAt(payload, 'id') ?? null;
          this.#parent = parentOf(payload, this.#session);
        }
        this.#cwd = stringAt(payload, 'cwd') ?? this.#cwd;
        return [];
      case 'turn_context':
        this.#turn = stringAt(payload, 'turn_id') ?? this.#turn;
        this.#cwd = stringAt(payload, 'cwd') ?? this.#cwd;
        return [];
      case 'event_msg':
        if (payload.type === 'task_started') this.#turn = stringAt(payload, 'turn_id') ?? this.#turn;
        this.#note(payload);
        return [];
      default:
        return this.#item(payload, bytes);
    }
  }

  /** Older versions write each message twice, as an item and as an event: the item is taken. */
  #messages(record: JsonObject, payload: JsonObject, typedIn: TypedIn): readonly ReadItem[] {
    if (record.type === 'event_msg') return this.#error(payload);
    if (record.type !== 'response_item' || payload.type !== 'message') return [];
    const content = own(payload, 'content');
    const isUser = payload.role === 'user';
    // What a helper is asked is not the user's.
    if (isUser ? this.#isHelper || !isTyped(payload) : payload.role !== 'assistant') return [];
    const text = isUser ? typedIn(content) : outputText(content);
    if (text === null) return [];
    const passed = objectAt(payload, 'internal_chat_message_metadata_passthrough') ?? {};
    const turnId = stringAt(passed, 'turn_id') ?? this.#turn;
    return [messageOf(isUser, text, { turnId, agentId: this.#agent })];
  }

  /** An event until 0.16x, later a field of the turn's end: with words, or what the model's provider has answered. */
  #error(payload: JsonObject): readonly ReadItem[] {
    const error = payload.type === 'error' ? payload : (objectAt(payload, 'error') ?? {});
    const said = stringAt(error, 'message') ?? '';
    if (said === '' || this.#isHelper) return [];
    const text = errorText(own(parseObject(said) ?? {}, 'error') ?? said);
    return [messageOf(false, text, { turnId: this.#turn, isError: true as const })];
  }

  #item(payload: JsonObject, bytes: number): readonly ReadCall[] {
    if (payload.type === 'web_search_call') return this.#search(payload);
    const id = stringAt(payload, 'call_id');
    if (id === undefined) return [];
    const begun = begunBy(payload);
    if (begun !== null) {
      this.pending.add(id, begun, bytes, this.where);
      return [];
    }
    if (!stringAt(payload, 'type')?.endsWith('_call_output')) return [];
    return this.pending.finish(id, (call) => finish(call, own(payload, 'output') ?? ''));
  }

  /** A search runs at the model's provider, and has no record of its result. */
  #search(payload: JsonObject): readonly ReadCall[] {
    const input = own(payload, 'action') ?? {};
    const toolUseId = stringAt(payload, 'id') ?? null;
    return [{ kind: 'call', tool: 'web_search', input, output: '', toolUseId, isError: false }];
  }

  /** `item_completed` of this year's versions, `exec_command_end` and `mcp_tool_call_end` of older ones. */
  #note(payload: JsonObject): void {
    const item = objectAt(payload, 'item') ?? payload;
    const begun = this.pending.get(stringAt(item, 'id') ?? stringAt(item, 'call_id') ?? '');
    if (begun === undefined) return;
    const exitCode = own(item, 'exit_code');
    if (typeof exitCode === 'number') begun.exitCode = exitCode;
    const result = objectAt(item, 'result');
    if (result !== undefined) begun.result = objectAt(result, 'Ok') ?? result;
  }
}

/** A session that another one started: its prompts are that one's. */
function isHelper(meta: JsonObject): boolean {
  const source = objectAt(meta, 'source');
  return (source !== undefined && 'subagent' in source) || stringAt(meta, 'thread_source') === 'subagent';
}

/** A helper has, by version, its own session or that of the session that started it. */
function parentOf(meta: JsonObject, session: string | null): SessionParent | null {
  const fork = stringAt(meta, 'forked_from_id');
  if (!isHelper(meta)) return fork ? { session: fork, kind: 'fork' } : null;
  const [spawn] = Object.values(objectAt(objectAt(meta, 'source') ?? {}, 'subagent') ?? {});
  const started = isObject(spawn) ? stringAt(spawn, 'parent_thread_id') : undefined;
  return session === stringAt(meta, 'id') ? { session: started ?? fork ?? '', kind: 'agent' } : null;
}

function outputText(content: Json | undefined): string | null {
  const text = blocksText(content ?? '');
  return typeof text === 'string' && text !== '' ? text : null;
}

/** Newer versions name the source of each part of a message. */
function isTyped(message: JsonObject): boolean {
  const passed = objectAt(message, 'internal_chat_message_metadata_passthrough') ?? {};
  const sources = objectsAt(passed, 'content_item_metadata').map((item) => objectAt(item, 'provenance'));
  return sources.every((source) => source === undefined || source.type === 'user');
}

function begunBy(payload: JsonObject): Begun | null {
  const tool = stringAt(payload, 'name');
  switch (stringAt(payload, 'type') ?? '') {
    case 'function_call': {
      if (tool === undefined) return null;
      const input = parsedJson(own(payload, 'arguments')) ?? {};
      const namespace = stringAt(payload, 'namespace');
      if (namespace) return { tool: `${namespace}__${tool}`, input };
      if (tool === 'apply_patch') return { tool, input: patchInput(input) };
      return shells.has(tool) ? { tool: 'Bash', input: shellInput(input) } : { tool, input };
    }
    case 'custom_tool_call':
      // The hook names the patch a command.
      return tool === undefined ? null : { tool, input: { command: own(payload, 'input') ?? '' } };
    case 'local_shell_call':
      return { tool: 'Bash', input: shellInput(own(payload, 'action') ?? {}) };
    default:
      return null;
  }
}

/** The names of versions and models for what the hook calls `Bash`. */
const shells = new Set(['exec_command', 'shell', 'shell_command', 'container.exec']);

/** The hook calls the `input` of the patch function a command. */
function patchInput(input: Json): Json {
  const patch = isObject(input) ? stringAt(input, 'input') : undefined;
  return patch === undefined ? input : { command: patch };
}

function shellInput(input: Json): Json {
  if (!isObject(input)) return { command: input };
  const command = own(input, 'cmd') ?? own(input, 'command') ?? '';
  return { ...without(input, 'cmd', 'command'), command: commandLine(command) };
}

/** `["bash", "-lc", "..."]` is the hook's `"..."`. */
function commandLine(command: Json): Json {
  if (!Array.isArray(command)) return command;
  const words = command.filter((word: Json) => typeof word === 'string');
  const isShell = words.length === 3 && /^-l?c$/.test(words[1] ?? '');
  return isShell ? (words[2] ?? '') : words.join(' ');
}

function finish(begun: Begun, output: Json): { output: Json; isError: boolean } {
  const failed = begun.exitCode !== undefined && begun.exitCode !== 0;
  if (begun.result !== undefined) return { output: begun.result, isError: failed };
  const said = blocksText(isObject(output) ? (own(output, 'content') ?? output) : output);
  const isError = failed || saysFailed(said) || (isObject(output) && own(output, 'success') === false);
  if (begun.tool !== 'Bash' || typeof said !== 'string') return { output: said, isError };
  return shellOutput(said, isError);
}

/** The hook's output has no header; the model's has. */
function shellOutput(said: string, isError: boolean): { output: Json; isError: boolean } {
  const older = said.startsWith('{"output"') ? parsedJson(said) : undefined;
  if (isObject(older)) {
    const code = objectAt(older, 'metadata')?.exit_code;
    return {
      output: own(older, 'output') ?? said,
      isError: isError || (typeof code === 'number' && code !== 0),
    };
  }
  const header = /^(?:Chunk ID|Wall time|Exit code|Process exited)[\s\S]{0,300}?\nOutput:\n/.exec(said);
  // Of a command that goes on, no hook reports the call before its end.
  const isOver = header !== null && !header[0].includes('running with session');
  return { output: isOver ? said.slice(header[0].length) : said, isError };
}
