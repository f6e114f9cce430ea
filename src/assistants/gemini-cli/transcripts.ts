import {
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsAt,
  own,
  type SessionParent,
  stringAt,
} from '#core/event';
import { pendingCallsMax } from '#core/limits';
import {
  blocksText,
  geminiResult,
  type Known,
  messageOf,
  nowhere,
  PendingCalls,
  type ReadCall,
  type ReadItem,
  type TranscriptFormat,
  type TranscriptReader,
  type TypedIn,
  type Where,
} from '../form/index.ts';

/**
 * Gemini CLI's chats: JSONL whose messages are written again as their calls finish, and, before that, one
 * JSON document `{sessionId, messages: [...]}`. Unlike the hook it has call ids.
 */
const chats: TranscriptFormat = {
  recognises: (record) =>
    record.type === 'gemini' || ('sessionId' in record && ('projectHash' in record || isOlder(record))),
  open: () => new GeminiReader(),
};

export const transcripts = [chats];

/** Cline's documents name an agent. */
const isOlder = (record: JsonObject): boolean =>
  Array.isArray(own(record, 'messages')) && !('agent' in record);

const finished = new Set(['success', 'error', 'cancelled']);

class GeminiReader implements TranscriptReader {
  #session: string | null = null;
  /** A subagent's chat: what it is asked is not the user's. */
  #parent: SessionParent | null = null;
  where: Where = nowhere;
  readonly pending = new PendingCalls();
  /** The newest calls and prompts: a message is written again after its calls finish. */
  readonly #callIds = new Set<string>();
  readonly #messageIds = new Set<string>();
  /** The user's message that the turn began with. */
  #turn: string | null = null;

  read(record: JsonObject, _bytes: number, { startedBy = '', typedIn }: Known): readonly ReadItem[] {
    this.#session ??= stringAt(record, 'sessionId') ?? null;
    if (record.kind === 'subagent') this.#parent = { session: startedBy, kind: 'agent' };
    const parent = this.#parent;
    this.where = { sessionId: this.#session, ts: undefined, cwd: null, ...(parent && { parent }) };
    const messages = messagesOf(record);
    return [
      ...messages.flatMap((message) => this.#calls(message)),
      ...messages.flatMap((message) => this.#messages(message, typedIn)),
    ];
  }

  #messages(message: JsonObject, typedIn: TypedIn): readonly ReadItem[] {
    const id = stringAt(message, 'id') ?? '';
    const isUser = message.type === 'user';
    if (isUser && this.#parent !== null) return [];
    // What the client shows as an error may also be one of a command of the user's.
    const isError = message.type === 'error' && /^\[?API Error/.test(stringAt(message, 'content') ?? '');
    if (!(isUser || isError || message.type === 'gemini') || this.#messageIds.has(id)) return [];
    // The content also holds the files that the text names.
    const content = own(message, 'displayContent') ?? own(message, 'content');
    const text = isUser ? typedIn(content) : blocksText(content ?? '');
    if (typeof text !== 'string' || text === '') return [];
    if (id !== '') remember(this.#messageIds, id);
    if (isUser) this.#turn = id || null;
    const agentId = this.#parent === null ? null : this.#session;
    const ids = { messageId: id, turnId: this.#turn, agentId, ...(isError && { isError }) };
    return [messageOf(isUser, text, { ...ids, ts: own(message, 'timestamp') })];
  }

  #calls(message: JsonObject): readonly ReadCall[] {
    return objectsAt(message, 'toolCalls').flatMap((call) => this.#call(message, call));
  }

  #call(message: JsonObject, call: JsonObject): readonly ReadCall[] {
    const id = stringAt(call, 'id') ?? '';
    const tool = stringAt(call, 'name');
    if (!tool || this.#callIds.has(id)) return [];
    const status = stringAt(call, 'status') ?? 'success';
    const ts = own(call, 'timestamp') ?? own(message, 'timestamp');
    if (!finished.has(status)) {
      this.pending.add(id, { tool, input: own(call, 'args') }, 0, { ...this.where, ts });
      return [];
    }
    this.pending.drop(id);
    if (id !== '') remember(this.#callIds, id);
    const { output, isError } = geminiResult(responseOf(call), tool);
    const failed = isError || status !== 'success';
    const input = own(call, 'args');
    return [{ kind: 'call', tool, input, output: output ?? '', ts, toolUseId: id, isError: failed }];
  }
}

/** The messages of a document, of a record that replaces all, or the one that the record is. */
function messagesOf(record: JsonObject): readonly JsonObject[] {
  const messages = own(objectAt(record, '$set') ?? record, 'messages');
  return Array.isArray(messages) ? messages.filter((message: Json) => isObject(message)) : [record];
}

/** The call's result in the hook's shape. */
function responseOf(call: JsonObject): JsonObject {
  const result = own(call, 'result');
  const first = Array.isArray(result) ? result[0] : undefined;
  const answer = isObject(first) ? objectAt(first, 'functionResponse') : undefined;
  const response = answer === undefined ? undefined : objectAt(answer, 'response');
  const error = response === undefined ? undefined : own(response, 'error');
  return {
    llmContent: (response === undefined ? result : (own(response, 'output') ?? response)) ?? '',
    returnDisplay: own(call, 'resultDisplay') ?? '',
    ...(error === undefined ? {} : { error }),
  };
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  for (const oldest of ids) {
    if (ids.size <= pendingCallsMax) break;
    ids.delete(oldest);
  }
}
