/**
 * The automaton of Aho and Corasick ("Efficient string matching", CACM 18(6), 1975): finds all keywords in one
 * reading of a text, whatever their number. Keywords are in lower case and match in any case.
 */
export class Automaton {
  readonly #width: number;
  readonly #classes: Uint8Array;
  /** Row offset of the next state, at `row + class`. */
  readonly #next: Int32Array;
  /** Keywords that end in a state, at `row / width`. */
  readonly #ends: readonly (readonly number[] | undefined)[];

  constructor(keywords: readonly string[]) {
    this.#classes = classesOf(keywords);
    this.#width = Math.max(...this.#classes) + 1;
    const trie = buildTrie(keywords, this.#classes, this.#width);
    this.#next = trie.next;
    this.#ends = trie.ends;
  }

  /** Calls `found(index of the keyword, offset after it)` for every occurrence, in ascending order. */
  scan(text: string, found: (keyword: number, end: number) => void): void {
    const next = this.#next;
    const classes = this.#classes;
    const width = this.#width;
    const ends = this.#ends;
    let row = 0;
    for (let at = 0; at < text.length; at++) {
      row = next[row + (classes[text.charCodeAt(at)] ?? 0)] ?? 0;
      // A negative offset marks a state with keywords, so that the common case costs one comparison.
      if (row < 0) {
        row = -row;
        const here = ends[row / width];
        if (here !== undefined) for (const keyword of here) found(keyword, at + 1);
      }
    }
  }
}

/** One class per keyword character (both cases share it), 0 for all others. */
function classesOf(keywords: readonly string[]): Uint8Array {
  const classes = new Uint8Array(65_536);
  let count = 0;
  for (const keyword of keywords) {
    for (const character of keyword) {
      const code = character.charCodeAt(0);
      if (character !== character.toLowerCase()) throw new Error(`not a keyword: ${keyword}`);
      if (classes[code] !== 0) continue;
      classes[code] = ++count;
      const upper = character.toUpperCase().charCodeAt(0);
      classes[upper] = count;
    }
  }
  return classes;
}

interface Trie {
  readonly next: Int32Array;
  readonly ends: (readonly number[] | undefined)[];
}

function buildTrie(keywords: readonly string[], classes: Uint8Array, width: number): Trie {
  const children: Map<number, number>[] = [new Map()];
  const ends: (readonly number[] | undefined)[] = [];
  keywords.forEach((keyword, index) => {
    let state = 0;
    for (const character of keyword) {
      const letter = classes[character.charCodeAt(0)] ?? 0;
      const known = children[state]?.get(letter);
      if (known === undefined) children[state]?.set(letter, children.push(new Map()) - 1);
      state = known ?? children.length - 1;
    }
    ends[state] = [...(ends[state] ?? []), index];
  });
  return { next: complete(children, ends, width), ends };
}

/**
 * Resolves the failure links in advance, breadth first: the row of a state is that of its failure link, with its own
 * children. Marks states with keywords.
 */
function complete(children: readonly Map<number, number>[], ends: Trie['ends'], width: number): Int32Array {
  const next = new Int32Array(children.length * width);
  const fail = new Int32Array(children.length);
  const queue: number[] = [0];
  for (const state of queue) {
    const fallback = (fail[state] ?? 0) * width;
    const row = state * width;
    if (state !== 0) next.copyWithin(row, fallback, fallback + width);
    for (const [letter, child] of children[state] ?? []) {
      const link = state === 0 ? 0 : Math.abs(next[row + letter] ?? 0) / width;
      fail[child] = link;
      const inherited = ends[link];
      if (inherited !== undefined) ends[child] = [...(ends[child] ?? []), ...inherited];
      next[row + letter] = (ends[child] === undefined ? child : -child) * width;
      queue.push(child);
    }
  }
  return next;
}
