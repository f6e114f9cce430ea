/**
 * The automaton of Aho and Corasick ("Efficient string matching", CACM 18(6), 1975): finds all keywords in one
 * reading of a text, whatever their number. Keywords are in lower case and match in any case. Characters beyond ASCII share
 * a few classes, which keeps the table small: a keyword of them may be reported where a similar word is.
 */
export class Automaton {
  readonly #classes: Uint8Array;
  /** The row of the next state, at `row + class`; or `~` the index in `#ends` of a state where keywords end. */
  readonly #next: Int32Array;
  readonly #ends: readonly End[];

  constructor(keywords: readonly string[]) {
    this.#classes = classesOf(keywords);
    const width = this.#classes.reduce((most, one) => Math.max(most, one)) + 1;
    const trie = buildTrie(keywords, this.#classes, width);
    this.#next = trie.next;
    this.#ends = trie.ends;
  }

  /** Calls `found(index of the keyword, offset after it)` for every occurrence, in ascending order. */
  scan(text: string, found: (keyword: number, end: number) => void): void {
    const next = this.#next;
    const classes = this.#classes;
    const ends = this.#ends;
    let row = 0;
    for (let at = 0; at < text.length; at++) {
      row = next[row + (classes[text.charCodeAt(at)] ?? 0)] ?? 0;
      // The sign marks a state with keywords, so that the common case costs one comparison.
      const end = row < 0 ? ends[~row] : undefined;
      if (end !== undefined) {
        row = end.row;
        for (const keyword of end.keywords) found(keyword, at + 1);
      }
    }
  }
}

const sharedClasses = 8;

/**
 * One class per keyword character (both cases share it), 0 for all others; 1 to 8 are beyond ASCII. Signs that are not seen have the class
 * of the control character `\u0000`.
 */
function classesOf(keywords: readonly string[]): Uint8Array {
  const classes = new Uint8Array(65_536);
  let count = sharedClasses;
  for (const keyword of keywords) {
    for (const character of keyword) {
      const code = character.charCodeAt(0);
      if (character !== character.toLowerCase()) throw new Error(`not a keyword: ${keyword}`);
      if (classes[code] !== 0) continue;
      const own = code < 128 ? ++count : 1 + (code % sharedClasses);
      classes[code] = own;
      const upper = character.toUpperCase().charCodeAt(0);
      // Not the `I` of a `ı`.
      if (upper < 128 === code < 128) classes[upper] = own;
    }
  }
  for (const range of unseen.split(' ')) {
    const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, 16));
    classes.fill(classes[0] ?? 0, first, last + 1);
  }
  return classes;
}

/** Controls, formats, fillers, odd spaces and, as their first half, tags: ranges of codes. */
const unseen =
  '0-8 b-c e-1f 7f-a0 ad 34f 61c 115f-1160 1680 17b4-17b5 180b-180f 2000-200f 2028-202f 205f-206f 3000 3164 fe00-fe0f feff ffa0 fff0-fffb db40-db43';

interface End {
  readonly row: number;
  readonly keywords: readonly number[];
}

/** A state is the offset of its row. */
function buildTrie(keywords: readonly string[], classes: Uint8Array, width: number): Trie {
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [];
  keywords.forEach((keyword, index) => {
    let state = 0;
    for (const character of keyword) {
      const letter = classes[character.charCodeAt(0)] ?? 0;
      const known = children[state]?.get(letter);
      const next = known ?? children.push(new Map()) - 1;
      children[state]?.set(letter, next);
      state = next;
    }
    ends[state] = [...(ends[state] ?? []), index];
  });
  return complete(children, ends, width);
}

interface Trie {
  readonly next: Int32Array;
  readonly ends: readonly End[];
}

/**
 * Resolves the failure links in advance, breadth first: the row of a state is that of its failure link, with its own
 * children.
 */
function complete(
  children: readonly Map<number, number>[],
  own: readonly (readonly number[] | undefined)[],
  width: number,
): Trie {
  const next = new Int32Array(children.length * width);
  const fail = new Int32Array(children.length);
  const ends: End[] = [];
  const queue: number[] = [0];
  for (const state of queue) {
    const row = state * width;
    const fallback = fail[state] ?? 0;
    if (state !== 0) next.copyWithin(row, fallback, fallback + width);
    for (const [letter, child] of children[state] ?? []) {
      const link = state === 0 ? 0 : (next[row + letter] ?? 0);
      const inherited = link < 0 ? ends[~link] : undefined;
      fail[child] = inherited?.row ?? link;
      const keywords = [...(own[child] ?? []), ...(inherited?.keywords ?? [])];
      next[row + letter] =
        keywords.length === 0 ? child * width : ~(ends.push({ row: child * width, keywords }) - 1);
      queue.push(child);
    }
  }
  return { next, ends };
}
