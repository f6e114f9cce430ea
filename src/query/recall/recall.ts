import { RecallReads, type Store } from '#memory/store';
import type { RecallRequest } from './asked.ts';
import { recallFailure } from './failure.ts';
import { Gate, type Reader, type Told } from './gate.ts';
import { type Memory, recallText, ruleNotice } from './text.ts';

// 150 tokens at 4 bytes each, with the frame.
const recallMemoriesMax = 2;

export interface Recalled {
  readonly memories: readonly Memory[];
  /** For the assistant, fenced and bounded; may be empty. */
  readonly text: string;
}

/** `inject.recall` */
export type RecallSetting = 'off' | 'failures';

/** The fix for a failed command. */
export class Recall {
  readonly #reads: RecallReads;
  readonly #setting: RecallSetting;
  readonly #gate: Gate;

  constructor(store: Pick<Store, 'connection'>, setting: RecallSetting, told: Told) {
    this.#reads = new RecallReads(store);
    this.#setting = setting;
    this.#gate = new Gate(told);
  }

  /** The user's rules among `ids`, which the hook found to concern a call: each once per session. */
  rules(reader: Reader, ids: readonly number[]): Recalled {
    const memories: Memory[] = [];
    for (const { id, ts, text } of this.#reads.rules()) {
      const rule = { id, why: 'a rule', text: `#${id} of ${ts.slice(0, 10)}: ${text}` };
      // Those that have to wait are said at the next call.
      if (memories.length === recallMemoriesMax) break;
      if (ids.includes(id) && this.#gate.passes(reader, [rule], 'rule')) memories.push(rule);
    }
    return { memories, text: recallText(memories, ruleNotice) };
  }

  /** Gives a failure together with its fix, once per session. */
  ask(request: RecallRequest): Recalled {
    const reader = { sessionId: request.call.sessionId, server: request.agent ?? '' };
    const found = this.#setting === 'off' ? [] : recallFailure(this.#reads, request);
    const memories = found.slice(0, recallMemoriesMax);
    if (!this.#gate.passes(reader, memories)) return { memories: [], text: '' };
    return { memories, text: recallText(memories) };
  }
}
