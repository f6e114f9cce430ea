import { conclusionIn, isClaim, isCourtesy, reportIn } from '../talk/index.ts';
import type { Said } from './account.ts';

const saysCharsMax = 180;

/** Of an event; `at` is its number in the order of time, which `seq` is not: messages may be stored after the calls between them. */
export interface Place {
  readonly seq: number;
  readonly ts: string;
  readonly at: number;
}

/** A reply as it was written, and what is read of it once. */
export class Reply implements Said {
  readonly seq: number;
  readonly ts: string;
  readonly at: number;
  readonly text: string;
  #isCourtesy: boolean | null = null;
  #says: string | null = null;

  constructor({ seq, ts, at }: Place, text: string) {
    this.seq = seq;
    this.ts = ts;
    this.at = at;
    this.text = text;
  }

  get isCourtesy(): boolean {
    this.#isCourtesy ??= isCourtesy(this.text);
    return this.#isCourtesy;
  }

  /** The changes that it lists, else what it concludes. */
  get says(): string {
    this.#says ??=
      reportIn(this.text, saysCharsMax) || (isClaim(this.text) ? conclusionIn(this.text, saysCharsMax) : '');
    return this.#says;
  }
}

export interface Turn {
  readonly seq: number;
  readonly at: number;
  readonly prompt: string;
  /** What the prompt asks for, in a line; empty when it only answers. */
  readonly asks: string;
  calls: number;
  readonly files: Set<string>;
  /** A call other than an edit, a check or a look has ended well. */
  acted: boolean;
  committed: boolean;
  /** The newest. */
  reply: Reply | null;
  /** Oldest first; each is read when somebody asks what it says. */
  readonly replies: Reply[];
  /** A call came after the last reply. */
  isOpen: boolean;
}
