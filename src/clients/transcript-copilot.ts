import { type Json, type JsonObject, objectAt, own, stringAt } from '../event/index.ts';
import { pendingCallsMax } from '../limits.ts';
import type { Call, Prompt, TranscriptFormat, TranscriptReader } from './client.ts';
import { copilotCli, shellFailed } from './copilot-cli.ts';
import { errorText } from './fields.ts';
import { parsedJson } from './parsed-json.ts';
import { PendingCalls } from './pending.ts';
import { typedIn } from './transcript-said.ts';

/**
 * Copilot CLI's `events.jsonl`: `tool.execution_start` and `tool.execution_complete`. The hook tells no call
 * id, so that its event is known by time and content; the file keeps the very payload that each hook was
 * given (`hook.start`), and a call that has one is told in those words, to be the same event.
 */
export const copilotTranscript: TranscriptFormat = {
  client: 'copilot-cli',
  recognises: (record) =>
    /^[a-z]+\.[a-z_]+$/.test(stringAt(record, 'type') ?? '') && objectAt(record, 'data') !== undefined,
  open: () => new CopilotReader(),
};

interface Begun {
  readonly tool: string;
  readonly input: Json | undefined;
}

class CopilotReader implements TranscriptReader {
  readonly #pending = new PendingCalls<Begun>();
  /** What hooks were told of calls that the file has not finished yet. */
  readonly #told: Call[] = [];
  #session: string | null = null;
  #cwd: string | null = null;

  take(record: JsonObject, bytes: number): readonly Call[] {
    const data = objectAt(record, 'data');
    if (data === undefined) return [];
    switch (stringAt(record, 'type') ?? '') {
      case 'session.start':
      case 'session.resume':
        this.#session ??= stringAt(data, 'sessionId') ?? null;
        this.#cwd = stringAt(objectAt(data, 'context') ?? {}, 'cwd') ?? this.#cwd;
        return [];
      case 'tool.execution_start':
        this.#begin(data, bytes);
        return [];
      case 'hook.start':
        this.#hook(data);
        return [];
      case 'tool.execution_complete':
        return this.#finish(record, data);
      default:
        return [];
    }
  }

  prompts(record: JsonObject): readonly Prompt[] {
    const data = objectAt(record, 'data');
    if (data === undefined || record.type !== 'user.message' || 'agentId' in record) return [];
    // A skill's text comes as a message of the user's, under the skill's name.
    if ((stringAt(data, 'source') ?? 'user') !== 'user') return [];
    const text = typedIn(own(data, 'content'));
    return text === null ? [] : [{ text, sessionId: this.#session, ts: own(record, 'timestamp') }];
  }

  unanswered(): number {
    return this.#pending.unanswered();
  }

  #begin(data: JsonObject, bytes: number): void {
    const id = stringAt(data, 'toolCallId');
    const tool = stringAt(data, 'toolName');
    if (id && tool) this.#pending.add(id, { tool, input: parsedJson(own(data, 'arguments')) }, bytes);
  }

  #hook(data: JsonObject): void {
    const input = objectAt(data, 'input');
    if (input === undefined || !stringAt(data, 'hookType')?.startsWith('postToolUse')) return;
    const told = copilotCli.tell(input);
    if (told === null || !('call' in told)) return;
    this.#told.push(told.call);
    if (this.#told.length > pendingCallsMax) this.#told.shift();
  }

  #finish(record: JsonObject, data: JsonObject): readonly Call[] {
    const id = stringAt(data, 'toolCallId') ?? '';
    const begun = this.#pending.take(id);
    if (begun === undefined) return [];
    const at = this.#told.findIndex((call) => isSame(call, begun));
    if (at >= 0) return this.#told.splice(at, 1);
    const error = own(data, 'error');
    const failed = own(data, 'success') === false;
    const result = objectAt(data, 'result') ?? {};
    const output = failed && error !== undefined ? errorText(error) : (own(result, 'content') ?? result);
    const exitCode = objectAt(data, 'shellExecution')?.exitCode;
    const isError = failed || shellFailed(output) || (typeof exitCode === 'number' && exitCode !== 0);
    const sessionId = this.#session;
    return [{ ...begun, output, sessionId, toolUseId: id, ts: record.timestamp, isError, cwd: this.#cwd }];
  }
}

function isSame(call: Call, begun: Begun): boolean {
  return call.tool === begun.tool && JSON.stringify(call.input) === JSON.stringify(begun.input);
}
