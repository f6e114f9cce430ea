import { isObject, type Json, type JsonObject, objectAt, objectsAt, own, stringAt } from '#core/event';
import {
  errorText,
  geminiResult,
  type Known,
  messageOf,
  nowhere,
  PendingCalls,
  type ReadCall,
  type ReadItem,
  type ReportedMessage,
  type TranscriptFormat,
  type TranscriptReader,
  type TypedIn,
  type Where,
  whereIn,
} from '../form/index.ts';

/**
 * Qwen Code's chats: a `functionCall` part of the assistant's record and, in a later `tool_result` record,
 * the `functionResponse` with the display.
 */
const chats: TranscriptFormat = {
  recognises(record) {
    const message = objectAt(record, 'message');
    return message !== undefined && Array.isArray(own(message, 'parts')) && 'sessionId' in record;
  },
  open: () => new QwenReader(),
};

export const transcripts = [chats];

class QwenReader implements TranscriptReader {
  readonly pending = new PendingCalls();
  /** The hooks' `prompt_id`, which only the records about requests name: a prompt waits for the first of them. */
  #turn: string | null = null;
  #prompt: ReportedMessage | null = null;
  where: Where = nowhere;

  read(record: JsonObject, bytes: number, { typedIn }: Known): readonly ReadItem[] {
    this.where = whereIn(record);
    return [...this.#calls(record, bytes), ...this.#messages(record, typedIn)];
  }

  #calls(record: JsonObject, bytes: number): readonly ReadCall[] {
    return objectsAt(objectAt(record, 'message') ?? {}, 'parts').flatMap((part) => {
      const begun = objectAt(part, 'functionCall');
      if (begun !== undefined) this.pending.begin(begun, 'args', bytes, this.where);
      const response = objectAt(part, 'functionResponse');
      return response === undefined ? [] : this.#finish(record, response);
    });
  }

  end(): readonly ReportedMessage[] {
    const prompt = this.#prompt;
    this.#prompt = null;
    if (prompt === null) return [];
    return [{ ...prompt, turnId: nextTurn(this.#turn, prompt.sessionId ?? '') }];
  }

  #messages(record: JsonObject, typedIn: TypedIn): readonly ReportedMessage[] {
    const event = objectAt(objectAt(record, 'systemPayload') ?? {}, 'uiEvent') ?? {};
    const turn = stringAt(event, 'prompt_id');
    if (turn?.includes(turnMark)) {
      this.#turn = turn;
      const prompt = this.#prompt;
      this.#prompt = null;
      const isError = stringAt(event, 'event.name') === 'qwen-code.api_error';
      const error = this.#message(false, stringAt(event, 'error_message') ?? '');
      return [
        ...(prompt === null ? [] : [{ ...prompt, turnId: turn }]),
        ...(isError ? [{ ...error, isError }] : []),
      ];
    }
    const message = objectAt(record, 'message') ?? {};
    if (own(record, 'isSidechain')) return [];
    if (record.type === 'assistant') {
      const text = spoken(objectsAt(message, 'parts'));
      return [...this.end(), ...(text === '' ? [] : [this.#message(false, text)])];
    }
    const isTyped = (stringAt(record, 'provenance') ?? 'real_user') === 'real_user';
    const text = record.type === 'user' && isTyped ? typedIn(own(message, 'parts')) : null;
    if (text === null) return [];
    const earlier = this.end();
    this.#prompt = this.#message(true, text);
    return earlier;
  }

  #message(isUser: boolean, text: string): ReportedMessage {
    return messageOf(isUser, text, { turnId: this.#turn, ...this.where });
  }

  #finish(record: JsonObject, functionResponse: JsonObject): readonly ReadCall[] {
    const id = stringAt(functionResponse, 'id') ?? '';
    const begun = this.pending.take(id);
    if (begun === undefined) return [];
    const response = objectAt(functionResponse, 'response') ?? {};
    const result = objectAt(record, 'toolCallResult') ?? {};
    const error = own(response, 'error');
    const failed = error !== undefined || (stringAt(result, 'status') ?? 'success') !== 'success';
    const said = own(response, 'output') ?? response;
    const read = failed
      ? { output: errorText(error ?? said), isError: true }
      : geminiResult({ llmContent: said, returnDisplay: displayOf(result) }, begun.tool);
    return [{ kind: 'call', ...begun, ...read, output: read.output ?? '', toolUseId: id }];
  }
}

/** `<session>########<number of the prompt>`. */
const turnMark = '########';

function nextTurn(last: string | null, session: string): string {
  const number = last === null ? -1 : Number(last.slice(last.indexOf(turnMark) + turnMark.length));
  return `${session}${turnMark}${Number.isInteger(number) ? number + 1 : 0}`;
}

/** The texts of parts that are not the model's thoughts. */
function spoken(parts: readonly JsonObject[]): string {
  const said = parts.filter((part) => own(part, 'thought') !== true);
  const texts = said.map((part) => stringAt(part, 'text') ?? '');
  return texts.join('').trim();
}

/** A shell's display is an object here and the bare output in the hook. */
function displayOf(result: JsonObject): Json {
  const display = own(result, 'resultDisplay') ?? '';
  const isShell = isObject(display) && display.type === 'shell_result';
  return isShell ? (own(display, 'output') ?? '') : display;
}
