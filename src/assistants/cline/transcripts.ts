import { type JsonObject, objectAt, objectsAt, own, stringAt } from '#core/event';
import {
  blocksText,
  idAt,
  type Known,
  messageOf,
  nowhere,
  PendingCalls,
  type ReadItem,
  type TranscriptFormat,
  type TranscriptReader,
  type Where,
} from '../form/index.ts';
import { clineInput, clineResult } from './payload.ts';

/** Cline's sessions, `{agent, origin, messages: [...]}`: one document each, also for an agent that a session has started. */
const sessions: TranscriptFormat = {
  recognises: (record) => 'agent' in record && 'origin' in record && Array.isArray(own(record, 'messages')),
  open: () => new ClineReader(),
};

export const transcripts = [sessions];

class ClineReader implements TranscriptReader {
  readonly pending = new PendingCalls();
  where: Where = nowhere;
  #agentId: string | null = null;
  #turn: string | null = null;

  read(record: JsonObject, _bytes: number, known: Known): readonly ReadItem[] {
    const origin = objectAt(record, 'origin') ?? {};
    this.#agentId = stringAt(origin, 'subagent') ?? null;
    const sessionId = stringAt(origin, 'parentThreadId') ?? stringAt(record, 'sessionId') ?? null;
    return objectsAt(record, 'messages').flatMap((message) => {
      this.where = { sessionId, ts: own(message, 'ts'), cwd: null };
      return this.#message(message, known).map((item) => ({ ...this.where, ...item }));
    });
  }

  #message(message: JsonObject, { typedIn }: Known): readonly ReadItem[] {
    const content = own(message, 'content') ?? '';
    const blocks = objectsAt(message, 'content');
    const texts = blocks.filter(({ type }) => type === 'text');
    for (const block of blocks.filter(({ type }) => type === 'tool_use'))
      this.pending.begin({ ...block, input: clineInput(own(block, 'input')) ?? {} }, 'input', 0, this.where);
    const calls = blocks.flatMap((block) => this.#result(block));
    const shownAs = stringAt(objectAt(message, 'metadata') ?? {}, 'displayRole');
    const isOurs = shownAs === 'system';
    if (message.role === 'assistant')
      return this.#said(message, 'assistant', blocksText(texts), shownAs === 'error');
    const isPrompt = !isOurs && (typeof content === 'string' || texts.length > 0);
    if (isPrompt) this.#turn = idAt(message, 'id');
    // What an agent is asked is not the user's.
    return isPrompt && this.#agentId === null
      ? [...calls, ...this.#said(message, 'user', typedIn(content))]
      : calls;
  }

  #said(
    message: JsonObject,
    role: 'user' | 'assistant',
    text: unknown,
    isError = false,
  ): readonly ReadItem[] {
    if (typeof text !== 'string' || text === '') return [];
    const ids = { turnId: this.#turn, agentId: this.#agentId };
    // The hook knows no id of an error.
    if (isError) return [messageOf(false, text, { ...ids, isError })];
    return [{ kind: 'message', role, text, messageId: idAt(message, 'id'), ...ids }];
  }

  #result(block: JsonObject): readonly ReadItem[] {
    const toolUseId = stringAt(block, 'tool_use_id') ?? '';
    if (block.type !== 'tool_result') return [];
    return this.pending.finish(toolUseId, () => {
      const { output = '', isError } = clineResult(own(block, 'content'));
      return { output, isError: isError || own(block, 'is_error') === true };
    });
  }
}
