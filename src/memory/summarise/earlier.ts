import { parsePayload } from '../../calls/call/index.ts';
import type { Payload } from '../../core/event/index.ts';
import { earlierCallsMax, earlierCharsMax } from '../../core/limits.ts';
import type { Store } from '../store/index.ts';
import type { Turn } from './backend.ts';

const turnCallsMax = 24;
const earlierKeptCharsMax = 4 * 1024 * 1024;

interface Kept {
  /** Null for an unreadable payload, which is left out. */
  readonly payload: Payload | null;
  readonly chars: number;
}

/**
 * The previous calls of a row in its session. The store says each time which they are, so that the result depends only on the
 * rows; parsed payloads are cached, since consecutive calls share them.
 */
export class EarlierCalls {
  readonly #store: Pick<Store, 'events'>;
  /** By row number, least recently added first. */
  readonly #kept = new Map<number, Kept>();
  #keptChars = 0;

  constructor(store: Pick<Store, 'events'>) {
    this.#store = store;
  }

  /** Caches a payload that the drain has parsed; `chars`: the length of its JSON. */
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

  /** The latest first, within `earlierCallsMax` and `earlierCharsMax`; ends before a call that retention has shrunk. */
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

  /** The calls of the turn around a message, nearest first on both sides, within `turnCallsMax` each. */
  turn(seq: number): Turn {
    const { before, after } = this.#store.events.turn(seq, turnCallsMax);
    return { before: this.#payloads(before), after: this.#payloads(after) };
  }

  #payloads(seqs: readonly number[]): readonly Payload[] {
    let room = earlierCharsMax;
    return seqs.flatMap((seq) => {
      const { payload, chars } = this.#kept.get(seq) ?? this.#read(seq);
      room -= chars;
      return payload === null || room < 0 ? [] : [payload];
    });
  }

  #read(seq: number): Kept {
    const stored = this.#store.events.payload(seq);
    // Forgotten between the two reads.
    if (stored === null) return { payload: null, chars: 0 };
    const { json, isWhole } = stored;
    // A shrunk payload may have lost whether the call failed: leave it and all earlier calls out.
    if (!isWhole) return { payload: null, chars: Number.POSITIVE_INFINITY };
    const parsed = parsePayload(json);
    const kept = { payload: 'payload' in parsed ? parsed.payload : null, chars: json.length };
    this.remember(seq, kept.payload, kept.chars);
    return kept;
  }
}
