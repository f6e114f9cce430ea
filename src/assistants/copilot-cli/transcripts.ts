import { type JsonObject, objectAt, own, stringAt } from '#core/event';
import {
  errorText,
  type Known,
  messageOf,
  nowhere,
  PendingCalls,
  parsedJson,
  type ReadCall,
  type ReadItem,
  shellNotice,
  type TranscriptFormat,
  type TranscriptReader,
  type TypedIn,
  type Where,
} from '../form/index.ts';
import { shellFailed } from './payload.ts';

/** Copilot CLI's `events.jsonl`: `tool.execution_start` and `tool.execution_complete`. Unlike the hook it has call ids. */
const events: TranscriptFormat = {
  recognises: (record) =>
    /^[a-z]+\.[a-z_]+$/.test(stringAt(record, 'type') ?? '') && objectAt(record, 'data') !== undefined,
  open: () => new CopilotReader(),
};

export const transcripts = [events];

class CopilotReader implements TranscriptReader {
  readonly pending = new PendingCalls();
  #session: string | null = null;
  #cwd: string | null = null;
  where: Where = nowhere;

  read(record: JsonObject, bytes: number, { typedIn }: Known): readonly ReadItem[] {
    this.where = { sessionId: this.#session, ts: record.timestamp, cwd: this.#cwd };
    const data = objectAt(record, 'data');
    if (data === undefined) return [];
    return [...this.#calls(record, data, bytes), ...this.#messages(record, data, typedIn)];
  }

  #calls(record: JsonObject, data: JsonObject, bytes: number): readonly ReadCall[] {
    switch (stringAt(record, 'type') ?? '') {
      case 'session.start':
      case 'session.resume':
        this.#session ??= stringAt(data, 'sessionId') ?? null;
        this.#cwd = stringAt(objectAt(data, 'context') ?? {}, 'cwd') ?? this.#cwd;
        return [];
      case 'tool.execution_start':
        this.#begin(data, bytes);
        return [];
      case 'tool.execution_complete':
        return this.#finish(data);
      case 'system.notification': {
        const notice = shellNotice(data, this.where);
        return notice === null ? [] : [notice];
      }
      default:
        return [];
    }
  }

  #messages(record: JsonObject, data: JsonObject, typedIn: TypedIn): readonly ReadItem[] {
    const isUser = record.type === 'user.message';
    const agentId = stringAt(record, 'agentId') ?? null;
    if (agentId === null && record.type === 'session.error')
      return [messageOf(false, stringAt(data, 'message') ?? '', { isError: true as const })];
    if (!(isUser || record.type === 'assistant.message')) return [];
    // A skill's text is a message of the user's with the skill's name; a subagent's task is the assistant's.
    if (isUser && (agentId !== null || (stringAt(data, 'source') ?? 'user') !== 'user')) return [];
    const content = own(data, 'content');
    const text = isUser ? typedIn(content) : content;
    if (typeof text !== 'string' || text === '') return [];
    const messageId = stringAt(data, 'messageId') ?? null;
    const turnId = stringAt(data, 'interactionId') ?? null;
    return [messageOf(isUser, text, { messageId, turnId, agentId })];
  }

  #begin(data: JsonObject, bytes: number): void {
    const id = stringAt(data, 'toolCallId');
    const tool = stringAt(data, 'toolName');
    if (id && tool)
      this.pending.add(id, { tool, input: parsedJson(own(data, 'arguments')) }, bytes, this.where);
  }

  #finish(data: JsonObject): readonly ReadCall[] {
    const error = own(data, 'error');
    const failed = own(data, 'success') === false;
    const result = objectAt(data, 'result') ?? {};
    const output = failed && error !== undefined ? errorText(error) : (own(result, 'content') ?? result);
    const exitCode = objectAt(data, 'shellExecution')?.exitCode;
    const isError = failed || shellFailed(output) || (typeof exitCode === 'number' && exitCode !== 0);
    return this.pending.finish(stringAt(data, 'toolCallId') ?? '', () => ({ output, isError }));
  }
}
