import type { Given } from '#memory/store';
import { hijackIn } from '#reading/text';
import type { Memory } from './text.ts';

/** A session, or one of its sub-agents by the name in `server`. */
export type Reader = Pick<Given, 'sessionId' | 'server'>;

/** The record of what was told. */
export interface Told {
  /** Whether a reader was told one of these memories. */
  hasTold(reader: Reader, ids: readonly number[]): boolean;
}

/** A hook that has printed an answer says so well before. */
const confirmMs = 60_000;

/** The gate for what is said within a session without a question: each memory once per session and sub-agent, none that gives orders.
 * Authors are checked where memories are read. */
export class Gate {
  readonly #told: Told;
  /** Answers on their way: a hook that ended too early says nothing, and they may be said again. */
  readonly #open = new Map<string, number>();

  constructor(told: Told) {
    this.#told = told;
  }

  /** Lets all of `memories` through, or none: each explains the other. The hook says when it has printed them. */
  passes(reader: Reader, memories: readonly Memory[], from: 'recorded' | 'rule' = 'recorded'): boolean {
    // A user's rule may speak to an assistant.
    const isOrder = (text: string): boolean =>
      hijackIn(text) !== null || (from === 'recorded' && orders.test(text));
    if (memories.length === 0 || memories.some(({ text }) => isOrder(text))) return false;
    const ids = memories.map(({ id }) => id);
    const nowMs = performance.now();
    for (const [key, untilMs] of this.#open) if (untilMs < nowMs) this.#open.delete(key);
    const keys = ids.map((id) => JSON.stringify([reader.sessionId, reader.server, id]));
    if (keys.some((key) => this.#open.has(key)) || this.#told.hasTold(reader, ids)) return false;
    for (const key of keys) this.#open.set(key, nowMs + confirmMs);
    return true;
  }
}

/** Text that speaks to an assistant, in place of a program's words about its failure. */
const orders =
  /\byou (?:must|should|shall|have to|are now)\b|\b(?:assistants?|agents?|claude|codex|copilot|gemini|AI|LLM)\b ?[:,]/i;
