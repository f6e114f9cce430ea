import { isObject, type Json } from '../event/index.ts';
import type { Span } from './rule.ts';
import { placeholder, spansIn } from './text.ts';
import { lastAtMost } from './views.ts';

/** Calls back for every replaced part of a piece. */
type Report = (secret: string, kind: string) => void;

/**
 * One text often arrives in pieces: a patch as an array of lines, hunks, chunks of a stream, content blocks, cells of a
 * notebook, edits. All strings that stand at the same place of the same shape (`[*].lines[*]`) are read as one text,
 * and what is found is replaced piece by piece: their number and order stay.
 */
export function redactPieces(value: Json, report: Report): Json {
  const { texts, groups } = piecesOf(value);
  let isChanged = false;
  for (const group of groups) {
    if (group.length < 2) continue;
    const pieces = group.map((at) => texts[at] ?? '');
    for (const [at, text] of redactTogether(pieces, report).entries()) {
      if (text === pieces[at]) continue;
      texts[group[at] ?? 0] = text;
      isChanged = true;
    }
  }
  return isChanged ? withTexts(value, texts) : value;
}

/**
 * The same over all strings of a value in their order, for what begins in one field and ends in another. Takes only
 * blocks: single values of neighbouring fields have nothing to do with each other.
 */
export function redactAcross(value: Json, report: Report): Json {
  const { texts } = piecesOf(value);
  const joined = new Joined(texts, '\n');
  const spans = spansIn(joined.text).filter(
    (span) => joined.isOverSeam(span) && isWholeBlock(joined.text, span),
  );
  return spans.length === 0 ? value : withTexts(value, joined.without(spans, report));
}

/** Every string of a value, replaced by what `change` makes of it. */
export function changeTexts(value: Json, change: (text: string) => string): Json {
  const { texts } = piecesOf(value);
  const changed = texts.map(change);
  return changed.every((text, at) => text === texts[at]) ? value : withTexts(value, changed);
}

function redactTogether(pieces: readonly string[], report: Report): readonly string[] {
  const lines = new Joined(pieces, '\n');
  const spans = spansIn(lines.text);
  if (spans.length > 0) return lines.without(spans, report);
  if (pieces.every((piece) => /^[ +\-\\]/.test(piece))) return pieces;
  // Chunks may be cut anywhere. Lines are not: there only what has a beginning and an end is taken.
  const stream = new Joined(pieces, '');
  const areChunks = pieces.some((piece) => /^\r?\n|\n[^\n]+$/.test(piece));
  const cut = spansIn(stream.text).filter(
    (span) => stream.isOverSeam(span) && (areChunks || isWholeBlock(stream.text, span)),
  );
  return cut.length === 0 ? pieces : stream.without(cut, report);
}

function isWholeBlock(text: string, { start, end, kind }: Span): boolean {
  if (kind === 'private')
    return /private\s{0,200}(?:>|\\u003e)$/i.test(text.slice(Math.max(start, end - 220), end));
  return kind === 'private-key' || kind === 'kubernetes-secret';
}

/** Pieces as one text, with the way back. */
class Joined {
  readonly text: string;
  readonly #pieces: readonly string[];
  readonly #starts: readonly number[];

  constructor(pieces: readonly string[], separator: string) {
    const starts: number[] = [];
    let length = 0;
    const parts = pieces.map((piece) => {
      starts.push(length);
      const part = piece.endsWith('\n') ? piece : piece + separator;
      length += part.length;
      return part;
    });
    this.text = parts.join('');
    this.#pieces = pieces;
    this.#starts = starts;
  }

  isOverSeam({ start, end }: Span): boolean {
    return lastAtMost(this.#starts, start) !== lastAtMost(this.#starts, end - 1);
  }

  /** The pieces without the spans, which are in order; a piece keeps its sign of a diff. */
  without(spans: readonly Span[], report: Report): string[] {
    const result = [...this.#pieces];
    // From the end on, so that offsets before stay what they are.
    for (const span of [...spans].reverse()) {
      const first = lastAtMost(this.#starts, span.start);
      for (let at = lastAtMost(this.#starts, span.end - 1); at >= first; at--) {
        const piece = result[at] ?? '';
        const from = this.#starts[at] ?? 0;
        let start = Math.max(0, span.start - from);
        if (start === 0 && at > first && /^[ +-]/.test(piece)) start = 1;
        const end = Math.min((this.#pieces[at] ?? '').length, span.end - from);
        const secret = piece.slice(start, end);
        if (!/[^\s<>[\]{}(),;"'`|+-]/.test(secret) || /^<redacted:[a-z0-9-]+>$/.test(secret)) continue;
        report(secret, span.kind);
        result[at] = piece.slice(0, start) + placeholder(span.kind) + piece.slice(end);
      }
    }
    return result;
  }
}

/** A place in the shape of a value: elements of an array are one place, and so are names that differ in numbers alone. */
class Shape {
  readonly #inner = new Map<string, Shape>();
  readonly texts: number[] = [];

  in(name: string): Shape {
    const known = this.#inner.get(name);
    if (known !== undefined) return known;
    const shape = new Shape();
    this.#inner.set(name, shape);
    return shape;
  }

  *groups(): Generator<number[]> {
    if (this.texts.length > 0) yield this.texts;
    for (const shape of this.#inner.values()) yield* shape.groups();
  }
}

/** The strings of a value in their order, and which of them stand at the same place. */
function piecesOf(value: Json): { texts: string[]; groups: number[][] } {
  const texts: string[] = [];
  const root = new Shape();
  const walk = (item: Json, shape: Shape): void => {
    if (typeof item === 'string') shape.texts.push(texts.push(item) - 1);
    else if (Array.isArray(item)) {
      const inner = shape.in('*');
      for (const one of item) walk(one, inner);
    } else if (isObject(item)) {
      for (const [key, one] of Object.entries(item)) walk(one, shape.in(key.replace(/\d+/g, '#')));
    }
  };
  walk(value, root);
  return { texts, groups: [...root.groups()] };
}

/** The value with other strings, given in the order of `piecesOf`. */
function withTexts(value: Json, texts: readonly string[]): Json {
  let next = 0;
  const walk = (item: Json): Json => {
    if (typeof item === 'string') return texts[next++] ?? '';
    if (Array.isArray(item)) return item.map(walk);
    // `fromEntries` defines, so that a key `__proto__` stays data.
    return isObject(item)
      ? Object.fromEntries(Object.entries(item).map(([key, one]) => [key, walk(one)]))
      : item;
  };
  return walk(value);
}
