import { isObject, type Json, type JsonObject, objectAt, own, stringAt } from '../../core/event/index.ts';
import type { Call, Prompt, TranscriptFormat, TranscriptReader } from './client.ts';
import { blocksText } from './fields.ts';
import { PendingCalls } from './pending.ts';

/**
 * Cursor's `agent-transcripts/<session>.jsonl`, `{role, message: {content: [...]}}` (from public sources). Most versions
 * leave out what tools answered, and then there is no call to tell of; none tells a time, so that what the user typed has
 * nothing to be known by when the file is read again.
 */
export const cursorTranscript: TranscriptFormat = {
  client: 'cursor',
  recognises(record) {
    const isTurn = record.role === 'user' || record.role === 'assistant';
    return isTurn && objectAt(record, 'message') !== undefined && !('type' in record);
  },
  open: () => new CursorReader(),
};

class CursorReader implements TranscriptReader {
  readonly #pending = new PendingCalls();
  #nameless = 0;

  take(record: JsonObject, bytes: number): readonly Call[] {
    const content = own(objectAt(record, 'message') ?? {}, 'content');
    if (!Array.isArray(content)) return [];
    return content.flatMap((block: Json) => (isObject(block) ? this.#block(record, block, bytes) : []));
  }

  prompts(): readonly Prompt[] {
    return [];
  }

  unanswered(): number {
    return this.#pending.unanswered() + this.#nameless;
  }

  #block(record: JsonObject, block: JsonObject, bytes: number): readonly Call[] {
    const tool = stringAt(block, 'name');
    const id = stringAt(block, 'id') ?? '';
    if (block.type === 'tool_use' && tool) {
      if (id === '') this.#nameless += 1;
      else this.#pending.add(id, { tool, input: own(block, 'input') ?? {} }, bytes);
    }
    if (block.type !== 'tool_result') return [];
    const toolUseId = stringAt(block, 'tool_use_id') ?? '';
    const begun = this.#pending.take(toolUseId);
    if (begun === undefined) return [];
    const output = blocksText(own(block, 'content') ?? '');
    const isError = own(block, 'is_error') === true;
    const sessionId = stringAt(record, 'session_id') ?? null;
    return [{ ...begun, output, sessionId, toolUseId, ts: own(record, 'timestamp'), isError, cwd: null }];
  }
}
