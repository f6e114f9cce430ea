import { RecallReads, type Store } from '../../memory/store/index.ts';
import type { RecallRequest } from './asked.ts';
import { recallFailure } from './failure.ts';
import { Given } from './given.ts';
import { type Memory, recallText } from './text.ts';

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
  readonly #given = new Given();

  constructor(store: Pick<Store, 'connection'>, setting: RecallSetting) {
    this.#reads = new RecallReads(store);
    this.#setting = setting;
  }

  /** Gives a failure together with its fix, once per session. */
  ask(request: RecallRequest): Recalled {
    const { sessionId } = request.call;
    const found = this.#setting === 'off' ? [] : recallFailure(this.#reads, request);
    const memories = found.slice(0, recallMemoriesMax);
    const text = found.some(({ id }) => this.#given.has(sessionId, id)) ? '' : recallText(memories);
    if (text === '') return { memories: [], text };
    for (const { id } of memories) this.#given.add(sessionId, id);
    return { memories, text };
  }
}
