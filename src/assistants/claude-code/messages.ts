import { type Json, type JsonObject, objectAt, objectsAt, own, stringAt } from '#core/event';
import { type ReportedMessage, summaryIn, type TypedIn, whereIn } from '../form/index.ts';
import { reportsIn } from './agent-reports.ts';

export const queuedPromptsMax = 256;
const subagentsMax = 64;

/**
 * What was said in Claude Code's transcripts. The turn is the user's `promptId`, as in the hooks; in older versions, the user's record.
 * Of a subagent only the last text counts: its report.
 */
export class ClaudeMessages {
  #turn: string | null = null;
  /** Typed while the assistant worked; for most of them a record of their own follows. */
  readonly #queued = new Map<string, ReportedMessage>();
  /** The same, once the assistant knows it. */
  readonly #passedOn = new Map<string, ReportedMessage>();
  /** The last text of each subagent. */
  readonly #reports = new Map<string, ReportedMessage>();

  read(record: JsonObject, typedIn: TypedIn): readonly ReportedMessage[] {
    switch (stringAt(record, 'type') ?? '') {
      case 'queue-operation':
        return record.operation === 'enqueue' ? this.#queue(record, typedIn) : this.#unqueue(record);
      case 'user':
        return this.#user(record, typedIn);
      case 'assistant':
        return this.#assistant(record);
      default:
        return [];
    }
  }

  end(isWhole: boolean): readonly ReportedMessage[] {
    const typed = isWhole ? [this.#passedOn, this.#queued] : [];
    const all = [this.#reports, ...typed];
    const kept = all.flatMap((messages) => [...messages.values()]);
    for (const messages of all) messages.clear();
    return kept;
  }

  /** What teammates and background agents say in it. */
  reports(record: JsonObject): readonly ReportedMessage[] {
    const turnId = stringAt(record, 'promptId') ?? this.#turn;
    return reportsIn(saidIn(record), { ...whereIn(record), turnId });
  }

  #user(record: JsonObject, typedIn: TypedIn): readonly ReportedMessage[] {
    const prompt = stringAt(record, 'promptId');
    this.#turn = prompt ?? this.#turn;
    const content = own(objectAt(record, 'message') ?? {}, 'content');
    if (own(record, 'isCompactSummary') === true) {
      const text = typeof content === 'string' ? content : textOf(blocksOf(record));
      return [this.#message(record, 'assistant', summaryIn(text))];
    }
    const agent = subagentOf(record);
    if (agent !== null) return blocksOf(record).some(isResult) ? [] : this.#reported(agent);
    if (byNobody.some((mark) => Boolean(own(record, mark)))) return [];
    const refusal = typedIn(blocksOf(record).map(refusalIn).join('')) ?? '';
    if (refusal !== '') return [this.#message(record, 'user', refusal)];
    const text = typedIn(content);
    if (text === null) return [];
    this.#turn = prompt ?? stringAt(record, 'uuid') ?? null;
    if (!this.#passedOn.delete(text)) this.#queued.delete(text);
    return [this.#message(record, 'user', text)];
  }

  #assistant(record: JsonObject): readonly ReportedMessage[] {
    const blocks = blocksOf(record);
    const text = textOf(blocks);
    const agent = subagentOf(record);
    if (own(record, 'isApiErrorMessage') === true)
      return agent === null && text !== ''
        ? [{ ...this.#message(record, 'assistant', text), isError: true }]
        : [];
    // Other words of the client.
    if (objectAt(record, 'message')?.model === '<synthetic>') return [];
    if (agent === null) return text === '' ? [] : [this.#message(record, 'assistant', text)];
    if (blocks.some(({ type }) => type === 'tool_use')) this.#reports.delete(agent);
    else if (text !== '') this.#keepReport(agent, this.#message(record, 'assistant', text));
    return [];
  }

  #message(record: JsonObject, role: 'user' | 'assistant', text: string): ReportedMessage {
    const agentId = subagentOf(record) ?? teammateOf(record);
    return { kind: 'message', role, text, turnId: this.#turn, agentId, ...whereIn(record) };
  }

  #queue(record: JsonObject, typedIn: TypedIn): readonly ReportedMessage[] {
    const text = typedIn(own(record, 'content'));
    if (text === null) return [];
    this.#queued.set(text, this.#message(record, 'user', text));
    const from = this.#passedOn.size > 0 ? this.#passedOn : this.#queued;
    const [oldest] = from.values();
    if (this.#queued.size + this.#passedOn.size <= queuedPromptsMax || oldest === undefined) return [];
    from.delete(oldest.text);
    return [oldest];
  }

  /** What was said since it was typed answers another prompt. */
  #unqueue(record: JsonObject): readonly ReportedMessage[] {
    const [oldest] = this.#queued.keys();
    const text = stringAt(record, 'content') ?? oldest ?? '';
    const known = this.#queued.get(text);
    this.#queued.delete(text);
    if (known !== undefined) this.#passedOn.set(text, { ...known, ts: whereIn(record).ts });
    return [];
  }

  #reported(agent: string): readonly ReportedMessage[] {
    const report = this.#reports.get(agent);
    this.#reports.delete(agent);
    return report === undefined ? [] : [report];
  }

  #keepReport(agent: string, report: ReportedMessage): void {
    this.#reports.set(agent, report);
    const [oldest] = this.#reports.keys();
    if (this.#reports.size > subagentsMax && oldest !== undefined) this.#reports.delete(oldest);
  }
}

/** Marks of a user's record that no user wrote. */
const byNobody = ['isMeta', 'isVisibleInTranscriptOnly'];

/** Null for the session's own records. Older versions have the records of subagents, without ids, among the session's. */
function subagentOf(record: JsonObject): string | null {
  return stringAt(record, 'agentId') ?? (own(record, 'isSidechain') === true ? 'sidechain' : null);
}

/** The name of the teammate whose session it is; the session of an agent team's lead is the user's. */
export function teammateOf(record: JsonObject): string | null {
  const name = 'teamName' in record ? stringAt(record, 'agentName') : undefined;
  return name === undefined || name === '' || name === 'team-lead' ? null : name;
}

/** In the user's place, or queued while the assistant worked. */
export function saidIn(record: JsonObject): Json | undefined {
  if (record.type === 'queue-operation') return own(record, 'content');
  if (record.type === 'attachment') return own(objectAt(record, 'attachment') ?? {}, 'prompt');
  return record.type === 'user' ? own(objectAt(record, 'message') ?? {}, 'content') : undefined;
}

export function blocksOf(record: JsonObject): readonly JsonObject[] {
  return objectsAt(objectAt(record, 'message') ?? {}, 'content');
}

function isResult(block: JsonObject): boolean {
  return block.type === 'tool_result';
}

/** What the user typed on refusing a call, in place of its result; empty without words. */
function refusalIn(block: JsonObject): string {
  const said = isResult(block) && block.is_error === true ? (stringAt(block, 'content') ?? '') : '';
  const [, words = ''] =
    /^The user doesn't want to [\s\S]{0,400}? the user said:\n([\s\S]+)/.exec(said) ?? [];
  return words.replace(/\n+Note: The user's next message [\s\S]*$/, '');
}

function textOf(blocks: readonly JsonObject[]): string {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [stringAt(block, 'text') ?? ''] : []));
  return texts.join('\n').trim();
}
