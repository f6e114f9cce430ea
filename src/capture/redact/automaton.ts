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
  readonly ends: (number[] | undefined)[];
}

function buildTrie(keywords: readonly string[], classes: Uint8Array, width: number): Trie {
  const statesMax = keywords.reduce((sum, keyword) => sum + keyword.length, 1);
  const goto = new Int32Array(statesMax * width);
  const ends: (number[] | undefined)[] = [];
  let states = 1;
  keywords.forEach((keyword, index) => {
    let state = 0;
    for (const character of keyword) {
      const slot = state * width + (classes[character.charCodeAt(0)] ?? 0);
      if (goto[slot] === 0) goto[slot] = states++;
      state = goto[slot] ?? 0;
    }
    ends[state] = [...(ends[state] ?? []), index];
  });
  return { next: complete(goto.subarray(0, states * width), ends, width), ends };
}

/** Resolves the failure links in advance, breadth first, and marks states with keywords. */
function complete(goto: Int32Array, ends: (number[] | undefined)[], width: number): Int32Array {
  const states = goto.length / width;
  const fail = new Int32Array(states);
  const queue: number[] = [0];
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0;
    const fallback = fail[state] ?? 0;
    const inherited = ends[fallback];
    if (state !== 0 && inherited !== undefined) ends[state] = [...(ends[state] ?? []), ...inherited];
    for (let letter = 1; letter < width; letter++) {
      const slot = state * width + letter;
      const child = goto[slot] ?? 0;
      const around = state === 0 ? 0 : (goto[fallback * width + letter] ?? 0);
      if (child === 0) goto[slot] = around;
      else {
        fail[child] = around;
        queue.push(child);
      }
    }
  }
  return goto.map((state) => (ends[state] === undefined || state === 0 ? state * width : -state * width));
}
