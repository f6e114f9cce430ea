import type { Payload } from '../../core/event/index.ts';
import {
  choiceAnswered,
  decisionsIn,
  decisionsInPlan,
  isCompaction,
  optionChosen,
  takenBack,
} from '../talk/index.ts';

const textsMax = 500;
const textCharsMax = 12_000;
const decisionsMax = 40;
const bareOption = /\boption (?:[a-z]|\d{1,2})[.!]?$/i;

const stated =
  /\bcommitted (?:as|successfully|and|to)\b|\bcommit(?:ted)?\b[^.\n]{0,40}`?\b[0-9a-f]{7,40}\b|\bcommit (?:went through|(?:was )?(?:created|made|successful))/i;

const reported =
  /\bcommit (?:went through|succeeded|was (?:created|made|successful))\b|\b(?:is|are|were) committed (?:in|as) [^.\n]{0,20}[0-9a-f]{7,40}\b/i;

interface Turn {
  readonly prompt: string;
  /** The last reply to it; '' without one. */
  reply: string;
  /** A call in it changed a file. */
  worked: boolean;
}

/** Collects what was said in a session, message by message. */
export class SessionTalk {
  readonly #turns: Turn[] = [];
  #decisions: string[] = [];
  readonly #planned = new Set<string>();
  #opening = '';

  take({ output, message }: Payload): void {
    if (message === undefined || typeof output !== 'string') return;
    // A subagent's prompt and report belong to the call that started it.
    if (message.agentId !== null) return;
    if (message.role === 'user') this.prompt(output);
    else if (!isCompaction(output)) this.#reply(output.slice(0, textCharsMax));
  }

  prompt(text: string): void {
    if (this.#turns.length >= textsMax) return;
    const prompt = text.slice(0, textCharsMax);
    const reply = this.#turns.at(-1)?.reply ?? this.#opening;
    const chosen = optionChosen(prompt, reply) ?? choiceAnswered(prompt, reply);
    if (chosen !== null) this.#keep(chosen);
    this.#turns.push({ prompt, reply: '', worked: false });
    const back = takenBack(prompt);
    if (back !== null) this.#takeBack(back);
    // A pasted plan is full of sentences that compare; it is the goal already.
    if (/^Implement the following plan:/.test(prompt)) {
      for (const words of decisionsInPlan(prompt)) {
        this.#planned.add(words);
        this.#keep(words);
      }
    } else this.#decide(prompt, 'user');
  }

  /** What a plan decided holds no more once its work is taken back. */
  #takeBack(words: string): void {
    this.#decisions = this.#decisions.filter((one) => !this.#planned.has(one));
    this.#keep(words);
  }

  /** A call of the last turn changed a file. */
  worked(): void {
    const turn = this.#turns.at(-1);
    if (turn !== undefined) turn.worked = true;
  }

  #reply(text: string): void {
    const turn = this.#turns.at(-1);
    if (turn === undefined) this.#opening = text;
    else turn.reply = text;
    this.#decide(text, 'assistant');
  }

  #decide(text: string, role: 'user' | 'assistant'): void {
    for (const words of decisionsIn(text, role)) {
      // `Let's go with option 1` says nothing without the option.
      if (!bareOption.test(words)) this.#keep(words);
    }
  }

  #keep(words: string): void {
    if (this.#decisions.length < decisionsMax && !this.#decisions.includes(words))
      this.#decisions.push(words);
  }

  isEmpty(): boolean {
    return this.#turns.length === 0;
  }

  prompts(): string[] {
    return this.#turns.map(({ prompt }) => prompt);
  }

  /** The last reply of each turn. */
  replies(): string[] {
    return [this.#opening, ...this.#turns.map(({ reply }) => reply)].filter((text) => text !== '');
  }

  turns(): readonly Readonly<Turn>[] {
    return [{ prompt: '', reply: this.#opening, worked: false }, ...this.#turns];
  }

  /** A reply says that the work is committed, though no call shows it. */
  reportsCommit(): boolean {
    return this.#turns.some(({ reply }) => reported.test(reply));
  }

  /** A reply mentions a commit: it may have been made where no call shows it. */
  saysCommitted(): boolean {
    return this.#turns.some(({ reply }) => stated.test(reply));
  }

  decisions(): readonly string[] {
    return this.#decisions;
  }
}
