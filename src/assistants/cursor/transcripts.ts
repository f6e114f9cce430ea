import { type JsonObject, objectAt, objectsAt, own, stringAt } from '#core/event';
import {
  blocksText,
  nowhere,
  PendingCalls,
  type ReadCall,
  type TranscriptFormat,
  type TranscriptReader,
  type Where,
} from '../form/index.ts';

/**
 * Cursor's `agent-transcripts/<session>.jsonl`, `{role, message: {content: [...]}}` (from public sources). Most versions
 * leave out the results, and so have no finished call. None has times, so a prompt has no identity: prompts are not read.
 */
const turns: TranscriptFormat = {
  recognises(record) {
    const isTurn = record.role === 'user' || record.role === 'assistant';
    return isTurn && objectAt(record, 'message') !== undefined && !('type' in record);
  },
  open: () => new CursorReader(),
};

export const transcripts = [turns];

class CursorReader implements TranscriptReader {
  readonly pending = new PendingCalls();
  refused = 0;
  where: Where = nowhere;

  read(record: JsonObject, bytes: number): readonly ReadCall[] {
    this.where = { sessionId: stringAt(record, 'session_id') ?? null, ts: record.timestamp, cwd: null };
    const blocks = objectsAt(objectAt(record, 'message') ?? {}, 'content');
    return blocks.flatMap((block) => this.#block(block, bytes));
  }

  #block(block: JsonObject, bytes: number): readonly ReadCall[] {
    const tool = stringAt(block, 'name');
    const id = stringAt(block, 'id') ?? '';
    if (block.type === 'tool_use' && tool) {
      if (id === '') this.refused += 1;
      else this.pending.add(id, { tool, input: own(block, 'input') ?? {} }, bytes, this.where);
    }
    if (block.type !== 'tool_result') return [];
    const toolUseId = stringAt(block, 'tool_use_id') ?? '';
    const output = blocksText(own(block, 'content') ?? '');
    return this.pending.finish(toolUseId, () => ({ output, isError: own(block, 'is_error') === true }));
  }
}
