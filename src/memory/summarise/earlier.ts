import { parsePayload } from '../../calls/call/index.ts';
import type { Payload } from '../../core/event/index.ts';
import { earlierCallsMax, earlierCharsMax } from '../../core/limits.ts';
import type { Store } from '../store/index.ts';

const earlierKeptCharsMax = 4 * 1024 * 1024;

interface Kept {
  /** Null for a row whose payload is none: it is passed over. */
  readonly payload: Payload | null;
  readonly chars: number;
}

/**
 * The calls that came before a row in its session. Which they are is asked of the store each time, so that the answer
 * depends on nothing but the rows; their parsed payloads are kept for a while, as calls follow one another.
 */
export class EarlierCalls {
  readonly #store: Pick<Store, 'events'>;
  /** By row number, least recently added first. */
  readonly #kept = new Map<number, Kept>();
  #keptChars = 0;

  constructor(store: Pick<Store, 'events'>) {
    this.#store = store;
  }

  /** Saves reading again what a drain has read itself; `chars`: the length of its JSON. */
  remember(seq: number, payload: Payload | null, chars: number): void {
    if (this.#kept.has(seq)) return;
    this.#kept.set(seq, { payload, chars });
    this.#keptChars += chars;
    for (const [oldest, { chars: freed }] of this.#kept) {
      if (this.#keptChars <= earlierKeptCharsMax) break;
      this.#kept.delete(oldest);
      this.#keptChars -= freed;
    }
  }

  /** The latest first; within `earlierCallsMax` and `earlierCharsMax`, and none from one on that retention has shrunk. */
  before(seq: number): readonly Payload[] {
    const payloads: Payload[] = [];
    let room = earlierCharsMax;
    for (const earlier of this.#store.events.earlier(seq, earlierCallsMax)) {
      const call = this.#kept.get(earlier) ?? this.#read(earlier);
      room -= call.chars;
      if (room < 0) break;
      if (call.payload !== null) payloads.push(call.payload);
    }
    return payloads;
  }

  #read(seq: number): Kept {
    const stored = this.#store.events.payload(seq);
    // Forgotten between the two questions.
    if (stored === null) return { payload: null, chars: 0 };
    const { json, isWhole } = stored;
    // Whether it had failed, and how, may be gone: nothing is said of it, nor of what lies behind it, rather than what is wrong.
    if (!isWhole) return { payload: null, chars: Number.POSITIVE_INFINITY };
    const parsed = parsePayload(json);
    const kept = { payload: 'payload' in parsed ? parsed.payload : null, chars: json.length };
    this.remember(seq, kept.payload, kept.chars);
    return kept;
  }
}
