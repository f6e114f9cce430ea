import { isObject, type Json, type JsonObject, objectAt, own, stringAt } from '#core/event';
import type { ReadItem, TranscriptFormat, TranscriptReader } from '../assistant.ts';
import { errorText } from '../fields.ts';
import { unfinished } from '../pending.ts';
import { messageOf, nowhere, type ReportedCall, type ReportedMessage, type Where } from '../reported.ts';
import { readOpencode, typedText } from './payload.ts';

/**
 * OpenCode's messages and their parts, each part as one record: `{opencode: 'part', session, role, startedBy,
 * ms, message, parent, part}`, as `places` reads them from its database or its files. A tool's part holds the whole call; its
 * `callID` is the hook's. A part `error` is a message's.
 */
const parts: TranscriptFormat = {
  recognises: (record) => record.opencode === 'part' && objectAt(record, 'part') !== undefined,
  open: () => new OpencodeReader(),
};

export const opencodeTranscripts = [parts];

class OpencodeReader implements TranscriptReader {
  refused = 0;
  where: Where = nowhere;
  /** A user's message so far: it may have several parts. */
  #prompt: ReportedMessage | null = null;

  read(record: JsonObject): readonly ReadItem[] {
    const [startedBy, forkOf] = [stringAt(record, 'startedBy'), stringAt(record, 'forkOf')];
    const session = startedBy ?? forkOf;
    const kind = startedBy === undefined ? 'fork' : 'agent';
    const whose = { sessionId: stringAt(record, 'session') ?? null, ts: own(record, 'ms'), cwd: null };
    this.where = session ? { ...whose, parent: { session, kind } } : whose;
    return [...this.#calls(record), ...this.#messages(record)];
  }

  #calls(record: JsonObject): readonly ReportedCall[] {
    const part = objectAt(record, 'part') ?? {};
    const tool = stringAt(part, 'tool');
    const state = objectAt(part, 'state');
    if (part.type !== 'tool' || !tool || state === undefined) return [];
    const isOpen = state.status !== 'completed' && state.status !== 'error';
    if (isOpen) this.refused += 1;
    const failed = state.status === 'error';
    const output = failed ? errorText(own(state, 'error') ?? '') : completed(state);
    const call = readOpencode({
      input: {
        tool,
        sessionID: stringAt(record, 'session') ?? '',
        callID: stringAt(part, 'callID') ?? '',
        args: own(state, 'input') ?? {},
      },
      output,
      timestamp: own(objectAt(state, 'time') ?? {}, 'end') ?? own(record, 'ms') ?? null,
    });
    if (call?.kind !== 'call') return [];
    const where = { sessionId: call.sessionId, ts: call.ts, cwd: call.cwd };
    return [
      isOpen ? unfinished(call.toolUseId ?? '', call, where) : { ...call, isError: failed || call.isError },
    ];
  }

  end(): readonly ReportedMessage[] {
    const prompt = this.#prompt;
    this.#prompt = null;
    return prompt === null ? [] : [prompt];
  }

  #messages(record: JsonObject): readonly ReportedMessage[] {
    const part = objectAt(record, 'part') ?? {};
    const isUser = record.role === 'user';
    if (!isUser && record.role !== 'assistant') return [];
    const id = stringAt(record, 'message') ?? null;
    const isError = part.type === 'error';
    const [text] = isError ? [stringAt(part, 'text')] : typedText(part);
    const earlier = this.#prompt?.messageId === id && isUser ? [] : this.end();
    // What a helper is asked is not the user's.
    const isHelper = typeof own(record, 'startedBy') === 'string';
    if (text === undefined || (isUser && isHelper)) return earlier;
    const at = (key: string): string | null => stringAt(record, key) ?? null;
    const sessionId = at('session');
    const [messageId, turnId] = isUser ? [id, id] : [at('partId'), at('parent')];
    const agentId = isHelper ? sessionId : null;
    const ids = { sessionId, messageId, turnId, agentId, ...(isError && { isError }) };
    const message: ReportedMessage = messageOf(isUser, text, { ...ids, ts: own(record, 'ms') });
    if (!isUser) return [...earlier, message];
    const before = this.#prompt === null ? '' : `${this.#prompt.text}\n`;
    this.#prompt = { ...message, text: before + text };
    return earlier;
  }
}

/** A finished call in the hook's shape. */
function completed(state: JsonObject): Json {
  const metadata = own(state, 'metadata');
  return {
    title: own(state, 'title') ?? '',
    ...(isObject(metadata) ? { metadata } : {}),
    output: own(state, 'output') ?? '',
  };
}
