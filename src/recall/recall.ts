import { recallMemoriesMax } from '../limits.ts';
import { RecallReads, type Store } from '../store/index.ts';
import { subjectKey } from '../summarise/index.ts';
import type { RecallRequest } from './asked.ts';
import { editedFiles, recallEdit } from './edit.ts';
import { recallFailure } from './failure.ts';
import { type Memory, recallText } from './text.ts';
import { Told } from './told.ts';

export interface Recalled {
  readonly memories: readonly Memory[];
  /** For the assistant, fenced and bounded; empty when nothing is good enough. */
  readonly text: string;
}

/** What may be told: nothing, only of failures, or of edits as well. */
export type RecallSetting = 'off' | 'failures' | 'all';

/** What sessions are told at a failed command or before an edit. */
export class Recall {
  readonly #reads: RecallReads;
  readonly #setting: RecallSetting;
  readonly #told = new Told();

  constructor(store: Pick<Store, 'connection'>, setting: RecallSetting) {
    this.#reads = new RecallReads(store);
    this.#setting = setting;
  }

  ask(request: RecallRequest): Recalled {
    const { sessionId } = request.call;
    const found = request.event === 'failure' ? this.#ofFailure(request) : this.#ofEdit(request);
    const memories = found.slice(0, recallMemoriesMax);
    const text = recallText(memories);
    if (text === '') return { memories: [], text };
    for (const { id } of memories) this.#told.add(sessionId, `memory ${id}`);
    return { memories, text };
  }

  /** A failure is told whole or not at all: without its fix it is worth nothing. */
  #ofFailure(request: RecallRequest): readonly Memory[] {
    if (this.#setting === 'off') return [];
    const found = recallFailure(this.#reads, request);
    return found.some((memory) => this.#isTold(request, memory)) ? [] : found;
  }

  #ofEdit(request: RecallRequest): readonly Memory[] {
    if (this.#setting !== 'all') return [];
    // Of each file at its first edit alone.
    const files = editedFiles(request).filter((file) =>
      this.#told.add(request.call.sessionId, `file ${subjectKey(file)}`),
    );
    const found = files
      .flatMap((file) => recallEdit(this.#reads, request, file))
      .filter((memory) => !this.#isTold(request, memory));
    // What is known of two of the files is told once.
    return [...new Map(found.map((memory) => [memory.text, memory])).values()];
  }

  #isTold({ call }: RecallRequest, { id }: Memory): boolean {
    return this.#told.has(call.sessionId, `memory ${id}`);
  }
}
