import { closingQuote, matchAt, type Range } from '#redact/form';
import { Mapping, staysInSecret } from './value.ts';

interface Slice {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Token extends Range {
  readonly value: string;
  readonly isQuoted: boolean;
}

/** An object, a list, or the text around all braces. */
interface Frame {
  /** The object whose `data` this is or is part of, or itself. */
  readonly owner: Mapping;
  readonly isData: boolean;
  /** The name before the colon while its value is expected. */
  key: string | undefined;
  last: Token | undefined;
}

/**
 * The values of Secrets in JSON or flow style YAML, also inside strings. `root`: whether the slice is any text, a
 * Secret, or the `data` of one, which is read to the end of its braces. `end`: how much was read.
 */
export function readBraces(
  part: Slice,
  root: 'text' | 'secret' | 'data',
  depth = 0,
): { readonly values: Range[]; readonly end: number } {
  return new FlowReader(part, root, depth).read();
}

const nestedMax = 4;
const framesMax = 200;

class FlowReader {
  readonly #part: Slice;
  readonly #root: 'text' | 'secret' | 'data';
  readonly #depth: number;
  readonly #frames: Frame[] = [];
  readonly #all: Mapping[] = [];
  /** The values of objects inside strings. */
  #inner: Range[] = [];

  constructor(part: Slice, root: 'text' | 'secret' | 'data', depth: number) {
    this.#part = part;
    this.#root = root;
    this.#depth = depth;
    this.#open();
  }

  read(): { readonly values: Range[]; readonly end: number } {
    const { text, to } = this.#part;
    let at = this.#part.from;
    while (at < to) {
      const frame = this.#top();
      const sign = text.charAt(at);
      if ((sign === '{' || sign === '[') && this.#frames.length < framesMax) this.#open();
      else if (sign === '}' || sign === ']') {
        this.#frames.pop();
        if (this.#root === 'data' && this.#frames.length === 1) break;
      } else if (sign === ',') this.#resetKey(frame);
      else if (sign === '\n' && this.#frames.length === 1) this.#resetKey(frame);
      else if (sign === ':') {
        frame.key = frame.last?.value;
        frame.last = undefined;
      } else if (!/\s/.test(sign)) {
        const token = this.#tokenAt(at, frame.key !== undefined);
        if (token === undefined) at++;
        else {
          this.#addToken(frame, token);
          at = token.end + (token.isQuoted ? this.#quoteAt(token.end).length : 0);
        }
        continue;
      }
      at++;
    }
    return { values: this.#values(), end: at };
  }

  #top(): Frame {
    return this.#frames.at(-1) ?? this.#open();
  }

  #values(): Range[] {
    const isSecret = (mapping: Mapping): boolean =>
      this.#root === 'data' || mapping.isSecret || (this.#root === 'secret' && mapping.kind === undefined);
    return [...this.#all.flatMap((mapping) => (isSecret(mapping) ? mapping.values : [])), ...this.#inner];
  }

  #open(): Frame {
    const outer = this.#frames.at(-1);
    const isRootData = this.#root === 'data' && this.#frames.length === 1;
    const isData = isRootData || outer?.isData === true || /^(?:data|stringData)$/.test(outer?.key ?? '');
    const owner = isData && outer !== undefined ? outer.owner : new Mapping(outer?.owner);
    const frame: Frame = { owner, isData, key: undefined, last: undefined };
    if (outer !== undefined) this.#resetKey(outer);
    if (owner !== outer?.owner) this.#all.push(owner);
    this.#frames.push(frame);
    return frame;
  }

  #resetKey(frame: Frame): void {
    frame.key = undefined;
    frame.last = undefined;
  }

  #addToken(frame: Frame, token: Token): void {
    const { key } = frame;
    this.#readInside(token);
    const after = this.#part.text.slice(token.end, token.end + 24);
    if (key === undefined || (token.isQuoted && /^\\{0,8}["'][ \t]*:/.test(after))) {
      frame.last = token;
      if (frame.isData && key === undefined && token.isQuoted && !/^\\{0,8}["'][ \t]*:/.test(after))
        frame.owner.values.push(...rangesOf(token));
      return;
    }
    if (frame.isData) frame.owner.values.push(...rangesOf(token));
    // Outside braces a kind counts only if it is quoted: the rest of a cut object.
    else if (key === 'kind' && (this.#frames.length > 1 || token.isQuoted))
      frame.owner.kind = token.value.toLowerCase();
    this.#resetKey(frame);
  }

  /** JSON in a string, such as an annotation. */
  #readInside({ start, end, value, isQuoted }: Token): void {
    if (!isQuoted || this.#root === 'data' || this.#depth >= nestedMax || !value.includes('{')) return;
    if (this.#root === 'text' && !/secret/i.test(value)) return;
    const part = { text: this.#part.text, from: start, to: end };
    for (const found of readBraces(part, this.#root, this.#depth + 1).values) this.#inner.push(found);
  }

  #quoteAt(at: number): string {
    return matchAt(quote, this.#part.text, at)?.[0] ?? '';
  }

  #tokenAt(at: number, isValue: boolean): Token | undefined {
    const { text, to } = this.#part;
    const opening = this.#quoteAt(at);
    const isQuoted = opening !== '';
    const start = at + opening.length;
    const word = isQuoted ? '' : (matchAt(isValue ? bareValue : bareWord, text, at)?.[0].trimEnd() ?? '');
    const end = isQuoted ? closingQuote(text, start, opening, to) : Math.min(at + word.length, to);
    if (end === undefined || (!isQuoted && end === at)) return undefined;
    return { start, end, value: text.slice(start, end), isQuoted };
  }
}

const quote = /\\{0,7}["']/y;
const bareValue = /[^,{}[\]\n"'\\]+/y;
/** A placeholder contains a colon, which does not end a name. */
const bareWord = /[^\s:,{}[\]"'\\]+(?:(?<=<redacted):[a-z0-9-]{1,60}>)?/y;

function rangesOf(token: Token): Range[] {
  const isCall = !token.isQuoted && /[()]/.test(token.value);
  return isCall || staysInSecret(token.value) ? [] : [{ start: token.start, end: token.end }];
}
