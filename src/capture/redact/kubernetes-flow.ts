import { merged, staysInSecret } from './kubernetes-value.ts';
import { closingQuote } from './notation.ts';
import type { Range } from './range.ts';

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
  readonly isData: boolean;
  kind: string | undefined;
  /** The name before the colon while its value is expected. */
  key: string | undefined;
  last: Token | undefined;
  /** Values of its own `data`, and of nested objects without a kind. */
  values: Range[];
  inner: Range[];
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
  #found: Range[] = [];

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
        this.#close();
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
    // The text was cut here.
    while (this.#frames.length > 0) this.#close();
    return { values: this.#found, end: at };
  }

  #top(): Frame {
    return this.#frames.at(-1) ?? this.#open();
  }

  #open(): Frame {
    const outer = this.#frames.at(-1);
    const isRootData = this.#root === 'data' && this.#frames.length === 1;
    const isData = isRootData || outer?.isData === true || /^(?:data|stringData)$/.test(outer?.key ?? '');
    const frame: Frame = { isData, kind: undefined, key: undefined, last: undefined, values: [], inner: [] };
    if (outer !== undefined) this.#resetKey(outer);
    this.#frames.push(frame);
    return frame;
  }

  #resetKey(frame: Frame): void {
    frame.key = undefined;
    frame.last = undefined;
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const outer = this.#frames.at(-1);
    const kind = frame.kind ?? (this.#root === 'secret' ? 'secret' : undefined);
    if (this.#root === 'data' || (!frame.isData && kind === 'secret'))
      this.#found = merged(this.#found, frame.values);
    else if (outer !== undefined && frame.isData) outer.values = merged(outer.values, frame.values);
    else if (kind === 'secretlist') this.#found = merged(this.#found, frame.inner);
    else if (outer !== undefined && kind === undefined)
      outer.inner = merged(outer.inner, merged(frame.values, frame.inner));
  }

  #addToken(frame: Frame, token: Token): void {
    const { key } = frame;
    this.#readInside(token);
    const after = this.#part.text.slice(token.end, token.end + 24);
    if (key === undefined || (token.isQuoted && /^\\{0,8}["'][ \t]*:/.test(after))) {
      frame.last = token;
      if (frame.isData && key === undefined && token.isQuoted && !/^\\{0,8}["'][ \t]*:/.test(after)) {
        frame.values.push(...rangesOf(token));
      }
      return;
    }
    if (frame.isData) frame.values.push(...rangesOf(token));
    // Outside braces a kind counts only if it is quoted: the rest of a cut object.
    else if (key === 'kind' && (this.#frames.length > 1 || token.isQuoted))
      frame.kind = token.value.toLowerCase();
    this.#resetKey(frame);
  }

  /** JSON in a string, such as an annotation. */
  #readInside({ start, end, value, isQuoted }: Token): void {
    if (!isQuoted || this.#root === 'data' || this.#depth >= nestedMax || !value.includes('{')) return;
    if (this.#root === 'text' && !/secret/i.test(value)) return;
    const part = { text: this.#part.text, from: start, to: end };
    this.#found = merged(this.#found, readBraces(part, this.#root, this.#depth + 1).values);
  }

  #quoteAt(at: number): string {
    quote.lastIndex = at;
    return quote.exec(this.#part.text)?.[0] ?? '';
  }

  #tokenAt(at: number, isValue: boolean): Token | undefined {
    const { text, to } = this.#part;
    const opening = this.#quoteAt(at);
    if (opening !== '') {
      const start = at + opening.length;
      const end = closingQuote(text, start, opening, to);
      return end === undefined ? undefined : { start, end, value: text.slice(start, end), isQuoted: true };
    }
    const bare = isValue ? bareValue : bareWord;
    bare.lastIndex = at;
    const word = bare.exec(text)?.[0].trimEnd() ?? '';
    const end = Math.min(at + word.length, to);
    return end === at ? undefined : { start: at, end, value: text.slice(at, end), isQuoted: false };
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
