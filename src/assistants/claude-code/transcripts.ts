import {
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  own,
  type SessionParent,
  stringAt,
} from '#core/event';
import {
  between,
  blocksText,
  errorText,
  type Known,
  noticesIn,
  nowhere,
  PendingCalls,
  type ReadCall,
  type ReadItem,
  type ReportedMessage,
  type TranscriptFormat,
  type TranscriptReader,
  type Where,
  whereIn,
} from '../form/index.ts';
import { history } from './history.ts';
import { blocksOf, ClaudeMessages, saidIn, teammateOf } from './messages.ts';
import { withoutEchoes } from './payload.ts';

/**
 * Claude Code's `<session>.jsonl` and its subagents' `agent-<id>.jsonl`, which carry the parent's session:
 * an assistant's `tool_use` block and, in a later user record, the `tool_result`.
 */
const sessions: TranscriptFormat = {
  recognises(record) {
    const message = objectAt(record, 'message');
    const isTurn = record.type === 'user' || record.type === 'assistant';
    return isTurn && message !== undefined && 'content' in message;
  },
  open: () => new ClaudeReader(),
};

export const transcripts = [sessions, history];

class ClaudeReader implements TranscriptReader {
  readonly pending = new PendingCalls();
  readonly #messages = new ClaudeMessages();
  refused = 0;
  /** Of which session this one is a fork, or a teammate's own. */
  #origin: SessionParent | null = null;
  where: Where = nowhere;

  /** A record that a fork has taken over belongs to the first session. */
  read(raw: JsonObject, bytes: number, { typedIn }: Known): readonly ReadItem[] {
    const forkedFrom = stringAt(objectAt(raw, 'forkedFrom') ?? {}, 'sessionId');
    if (forkedFrom) this.#origin = { session: forkedFrom, kind: 'fork' };
    if (teammateOf(raw) !== null) this.#origin ??= { session: '', kind: 'agent' };
    const parent = forkedFrom ? null : this.#origin;
    const record = forkedFrom ? { ...raw, sessionId: forkedFrom } : raw;
    this.where = { ...whereIn(record), ...(parent && { parent }) };
    return [
      ...this.#calls(record, bytes),
      ...noticesIn(saidIn(record), this.where),
      ...this.#messages.read(record, typedIn),
      ...this.#messages.reports(record),
    ];
  }

  end(isWhole: boolean): readonly ReportedMessage[] {
    return this.#messages.end(isWhole);
  }

  #calls(record: JsonObject, bytes: number): readonly ReadCall[] {
    const blocks = blocksOf(record);
    if (record.type === 'assistant') {
      for (const block of blocks)
        if (block.type === 'tool_use') this.pending.begin(block, 'input', bytes, this.where);
      return [];
    }
    if (record.type !== 'user') return [];
    const results = blocks.filter((block) => block.type === 'tool_result');
    // One structured result per record: with several blocks its call is unknown.
    const structured = results.length === 1 ? own(record, 'toolUseResult') : undefined;
    return results.flatMap((result) => this.#finish(record, result, structured));
  }

  #finish(record: JsonObject, result: JsonObject, structured: Json | undefined): readonly ReadCall[] {
    const id = stringAt(result, 'tool_use_id') ?? '';
    const begun = this.pending.take(id);
    if (begun === undefined) return [];
    const failed = own(result, 'is_error') === true;
    const said = blocksText(own(result, 'content') ?? '');
    const denied = failed ? denialOf(record, said) : null;
    if (denied === 'refused')
      return [{ kind: 'call', ...begun, output: said, toolUseId: id, isError: false, refused: true }];
    if (denied !== null) {
      this.refused += 1;
      return [];
    }
    const output = failed
      ? // The transcript puts tags around some errors; the hook does not.
        errorText(between('<tool_use_error>', said, '</tool_use_error>'))
      : withoutEchoes(isObject(structured) ? structured : said, begun.input);
    return [{ kind: 'call', ...begun, output, toolUseId: id, isError: failed }];
  }
}

/**
 * Why a call never ran: refused by the user or by the judge of the automatic mode, or something else (a rule, a hook, an end of the turn);
 * null for one that did. Older transcripts say so only in words.
 */
function denialOf(record: JsonObject, said: Json): 'refused' | 'other' | null {
  const kind = stringAt(record, 'toolDenialKind');
  if (kind !== undefined) return /^(?:user-|automode-)/.test(kind) ? 'refused' : 'other';
  const isWords =
    typeof said === 'string' && said.startsWith("The user doesn't want to proceed with this tool use.");
  return isWords ? 'refused' : null;
}
