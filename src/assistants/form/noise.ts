/** What a client, a hook or memd adds to what people write. */
export interface Noise {
  /** The names of elements that are removed with their content. */
  readonly elements?: string;
  /** Matches are removed. */
  readonly parts?: readonly RegExp[];
  /** All from the match on is removed. */
  readonly tails?: readonly RegExp[];
  /** A user's message that matches was said by nobody. */
  readonly prompts?: readonly RegExp[];
  /** So was an assistant's. */
  readonly replies?: readonly RegExp[];
}
