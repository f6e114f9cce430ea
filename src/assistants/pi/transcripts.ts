import path from 'node:path';
import { type Json, type JsonObject, objectAt, objectsAt, own, stringAt } from '#core/event';
import {
  idAt,
  type Known,
  nowhere,
  PendingCalls,
  type ReadItem,
  type ReportedMessage,
  type TranscriptFormat,
  type TranscriptReader,
  type Where,
} from '../form/index.ts';
import { piResult } from './payload.ts';

/**
 * Pi's sessions, version 3: after the head, entries that form a tree by `parentId`, in the order in which they were written. Every branch
 * counts: what was abandoned was done.
 */
const sessions: TranscriptFormat = {
  recognises: (record) => record.type === 'session' && 'cwd' in record && 'id' in record,
  open: () => new PiReader(),
};

export const transcripts = [sessions];

class PiReader implements TranscriptReader {
  readonly pending = new PendingCalls();
  where: Where = nowhere;
  /** The turn of each entry: the prompt above it in the tree. */
  readonly #turns = new Map<string, string | null>();
  #turn: string | null = null;

  read(record: JsonObject, bytes: number, known: Known): readonly ReadItem[] {
    if (record.type === 'session') this.#begin(record);
    const message = objectAt(record, 'message') ?? {};
    // A message has a time of its own, by which its hook names it.
    this.where = { ...this.where, ts: own(message, 'timestamp') ?? own(record, 'timestamp') };
    const above = this.#turns.get(stringAt(record, 'parentId') ?? '');
    this.#turn = message.role === 'user' ? idAt(message, 'timestamp') : (above ?? this.#turn);
    const id = stringAt(record, 'id');
    if (id !== undefined) this.#turns.set(id, this.#turn);
    if (record.type !== 'message') return this.#summary(record);
    if (message.role === 'user')
      return this.#said('user', known.typedIn(own(message, 'content')), this.#turn);
    if (message.role === 'assistant') return this.#answer(message, bytes);
    return message.role === 'bashExecution' ? this.#ownCommand(message, id ?? null) : this.#result(message);
  }

  #begin(head: JsonObject): void {
    const from = path.basename(stringAt(head, 'parentSession') ?? '');
    const session = /_([^_]+)\.jsonl$/.exec(from)?.[1];
    this.where = {
      ...{ sessionId: stringAt(head, 'id') ?? null, ts: undefined, cwd: stringAt(head, 'cwd') ?? null },
      ...(session !== undefined && { parent: { session, kind: 'fork' } }),
    };
  }

  #said(
    role: 'user' | 'assistant',
    text: string | null,
    messageId: string | null,
  ): readonly ReportedMessage[] {
    if (text === null || text.trim() === '') return [];
    return [{ kind: 'message', role, text, messageId, turnId: this.#turn, ...this.where }];
  }

  #answer(message: JsonObject, bytes: number): readonly ReportedMessage[] {
    const blocks = objectsAt(message, 'content');
    for (const block of blocks) {
      if (block.type === 'toolCall') this.pending.begin(block, 'arguments', bytes, this.where);
    }
    const texts = blocks.flatMap((block) => (block.type === 'text' ? [stringAt(block, 'text') ?? ''] : []));
    const id = idAt(message, 'timestamp');
    const error = message.stopReason === 'error' ? (stringAt(message, 'errorMessage') ?? null) : null;
    return [
      ...this.#said('assistant', texts.join('\n'), id),
      ...this.#said('assistant', error, `${id}:error`).map((one) => ({ ...one, isError: true as const })),
    ];
  }

  #result(message: JsonObject): readonly ReadItem[] {
    const toolUseId = stringAt(message, 'toolCallId') ?? '';
    if (message.role !== 'toolResult') return [];
    const isError = message.isError === true;
    return this.pending.finish(toolUseId, () => ({ output: piResult(message) ?? '', isError }));
  }

  /** What the user ran by `!`. */
  #ownCommand(message: JsonObject, toolUseId: string | null): readonly ReadItem[] {
    const exitCode = own(message, 'exitCode') ?? null;
    const output: Json = { output: own(message, 'output') ?? '', exitCode };
    const input = { command: own(message, 'command') ?? '' };
    const isError = exitCode !== 0 && exitCode !== null;
    return [{ kind: 'call', tool: 'bash', input, output, toolUseId, isError }];
  }

  /** The summary of a compaction, or of a branch that was left. */
  #summary(record: JsonObject): readonly ReportedMessage[] {
    const isSummary = record.type === 'compaction' || record.type === 'branch_summary';
    return isSummary ? this.#said('assistant', stringAt(record, 'summary') ?? null, idAt(record, 'id')) : [];
  }
}
