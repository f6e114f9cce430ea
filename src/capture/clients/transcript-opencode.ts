import { isObject, type Json, type JsonObject, objectAt, own, stringAt } from '../../core/event/index.ts';
import type { ReportedCall, ReportedMessage, TranscriptFormat, TranscriptReader } from './client.ts';
import { errorText } from './fields.ts';
import { typedIn } from './noise.ts';
import { readOpencode } from './opencode.ts';

/**
 * OpenCode's messages and their parts, each part as one record: `{opencode: 'part', session, role, isHelper,
 * ms, part}`, as `places/opencode` reads them from its database or its files. A tool's part holds the whole call; its
 * `callID` is the hook's.
 */
export const opencodeTranscript: TranscriptFormat = {
  client: 'opencode',
  recognises: (record) => record.opencode === 'part' && objectAt(record, 'part') !== undefined,
  open: () => new OpencodeReader(),
};

class OpencodeReader implements TranscriptReader {
  #unanswered = 0;

  read(record: JsonObject): readonly (ReportedCall | ReportedMessage)[] {
    return [...this.#calls(record), ...this.#prompts(record)];
  }

  #calls(record: JsonObject): readonly ReportedCall[] {
    const part = objectAt(record, 'part') ?? {};
    const tool = stringAt(part, 'tool');
    const state = objectAt(part, 'state');
    if (part.type !== 'tool' || !tool || state === undefined) return [];
    if (state.status !== 'completed' && state.status !== 'error') {
      this.#unanswered += 1;
      return [];
    }
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
    return call?.kind === 'call' ? [{ ...call, isError: failed || call.isError }] : [];
  }

  #prompts(record: JsonObject): readonly ReportedMessage[] {
    const part = objectAt(record, 'part') ?? {};
    if (record.role !== 'user' || part.type !== 'text' || own(record, 'isHelper') === true) return [];
    // The program's own text, or one that the user took back.
    if (own(part, 'synthetic') === true || own(part, 'ignored') === true) return [];
    const text = typedIn(own(part, 'text'));
    if (text === null) return [];
    const sessionId = stringAt(record, 'session') ?? null;
    return [{ kind: 'message', role: 'user', text, sessionId, ts: own(record, 'ms') }];
  }

  unanswered(): number {
    return this.#unanswered;
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
