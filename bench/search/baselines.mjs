// What anyone has without a memory: a word search over the raw calls, and plain BM25 over them. Both know nothing of
// summaries, identifiers' parts or time; what the product adds must show against these.

/** Runs of letters, digits and `_`, in lower case: no stemming, no stop words. */
export function words(text) {
  return text.toLowerCase().match(wordPattern) ?? [];
}

/**
 * What BM25 indexes and asks for: every word, and the parts of `camelCase` and `snake_case` in addition to the whole. Without
 * the parts it scores some .01 of nDCG@10 less on commit subjects: a straw man.
 */
export function terms(text) {
  const found = [];
  for (const word of text.match(wordPattern) ?? []) {
    found.push(word.toLowerCase());
    if (!/[\p{Ll}\p{N}]\p{Lu}|_/u.test(word)) continue;
    const parts = word.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2').split('_');
    if (parts.length > 1)
      found.push(...parts.filter((part) => part !== '').map((part) => part.toLowerCase()));
  }
  return found;
}

const wordPattern = /[\p{L}\p{N}_]+/gu;

/**
 * The text of a call as a plain index would take it: the tool, the values of its input, its output; field names and JSON's
 * punctuation say nothing.
 */
export function rawText({ tool, input, output }) {
  return [tool, ...values(input), ...values(output)].join(' ');
}

function values(json) {
  if (json === null || json === undefined) return [];
  return typeof json === 'object' ? Object.values(json).flatMap(values) : [String(json)];
}

/** An inverted index over the calls of one workspace, in the order given. */
export class RawIndex {
  #calls;
  #lengths = [];
  #averageLength = 0;
  /** word -> places of the calls that hold it, and how often each does. */
  #postings = new Map();
  #newestFirst;
  /** All words in one text, between spaces, to find those that contain another. */
  #vocabulary = null;
  #containing = new Map();

  constructor(calls) {
    this.#calls = calls;
    for (const [at, call] of calls.entries()) this.#add(at, terms(rawText(call)));
    this.#averageLength = this.#lengths.reduce((sum, length) => sum + length, 0) / calls.length;
    this.#newestFirst = calls
      .map((call, at) => ({ ms: Date.parse(call.ts), at }))
      .sort((a, b) => b.ms - a.ms || b.at - a.at)
      .map(({ at }) => at);
  }

  #add(at, found) {
    this.#lengths.push(found.length);
    const counts = new Map();
    for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      const posting = this.#postings.get(word);
      if (posting === undefined) this.#postings.set(word, { at: [at], count: [count] });
      else {
        posting.at.push(at);
        posting.count.push(count);
      }
    }
  }

  /**
   * Okapi BM25 (Robertson and Zaragoza 2009) with the idf that is never negative, `ln(1 + (N - n + 0.5) / (n + 0.5))`;
   * each distinct term of the query counts once. Best first, at most `limit`; equal scores newest first.
   */
  bm25(query, limit, { k1 = 1.2, b = 0.75 } = {}) {
    const scores = new Float64Array(this.#calls.length);
    for (const word of new Set(terms(query))) {
      const posting = this.#postings.get(word);
      if (posting === undefined) continue;
      const n = posting.at.length;
      const idf = Math.log(1 + (this.#calls.length - n + 0.5) / (n + 0.5));
      for (const [nth, at] of posting.at.entries()) {
        const count = posting.count[nth];
        const norm = k1 * (1 - b + (b * this.#lengths[at]) / this.#averageLength);
        scores[at] += (idf * count * (k1 + 1)) / (count + norm);
      }
    }
    return this.#best(scores, limit);
  }

  /** As `grep -i` for each distinct word of the query: calls that contain more of them first, then the newer. */
  grep(query, limit) {
    const scores = new Float64Array(this.#calls.length);
    for (const word of new Set(words(query))) {
      for (const at of this.#callsContaining(word)) scores[at] += 1;
    }
    return this.#best(scores, limit);
  }

  /** A run of word characters is in a text exactly when it is in one of the text's words. */
  #callsContaining(word) {
    this.#vocabulary ??= ` ${[...this.#postings.keys()].join(' ')} `;
    let found = this.#containing.get(word);
    if (found !== undefined) return found;
    const all = new Set();
    for (let hit = this.#vocabulary.indexOf(word); hit >= 0; ) {
      const end = this.#vocabulary.indexOf(' ', hit);
      const whole = this.#vocabulary.slice(this.#vocabulary.lastIndexOf(' ', hit) + 1, end);
      for (const at of this.#postings.get(whole).at) all.add(at);
      hit = this.#vocabulary.indexOf(word, end);
    }
    found = Uint32Array.from(all);
    this.#containing.set(word, found);
    return found;
  }

  #best(scores, limit) {
    return this.#newestFirst
      .filter((at) => scores[at] > 0)
      .sort((a, b) => scores[b] - scores[a])
      .slice(0, limit)
      .map((at) => this.#calls[at]);
  }
}
