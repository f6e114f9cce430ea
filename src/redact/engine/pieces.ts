import { isObject, type Json } from '#core/event';
import { lastAtMost, type Notes, type Span } from '#redact/form';
import { isClosedPart } from '#redact/scanners';
import { placeholder, type Reader, spansIn } from './text.ts';

/**
 * One text often arrives in pieces: lines of a patch, chunks of a stream, content blocks. Strings at the same path
 * (`[*].lines[*]`) are read as one text and replaced piece by piece. `open` also takes an unclosed `<private>`, to
 * the end of the last piece.
 */
export function redactPieces(value: Json, reader: Reader, mode: 'closed' | 'open'): Json {
  if (!hasPieces(value)) return value;
  const { texts, groups } = piecesOf(value);
  const changed = [...texts];
  for (const group of groups) {
    if (group.length < 2) continue;
    const found = readTogether(
      group.map((at) => texts[at] ?? ''),
      reader.notes,
      mode,
    );
    for (const [at, text] of found?.joined.without(found.spans, reader).entries() ?? [])
      changed[group[at] ?? 0] = text;
    for (const span of found?.spans ?? []) {
      if (span.kind !== 'private' || found === undefined) continue;
      // Strings at other paths between the first and the last piece.
      const [first, last] = found.joined.piecesOf(span).map((at) => group[at] ?? 0);
      for (let at = (first ?? 0) + 1; at < (last ?? 0); at++) {
        if (!group.includes(at) && !isTypeName(texts[at] ?? '')) changed[at] = placeholder('private');
      }
    }
  }
  return withTexts(value, texts, changed);
}

/** Reads all strings of a value in order, for blocks that begin in one field and end in another. */
export function redactAcross(value: Json, reader: Reader): Json {
  const { texts } = piecesOf(value);
  if (texts.length < 2) return value;
  const joined = new Joined(texts, '\n');
  const spans = spansIn(joined.text).filter(
    (span) => joined.isOverSeam(span) && isWholeBlock(joined.text, span),
  );
  if (spans.length === 0) return value;
  const changed = joined
    .without(spans, reader)
    .map((text, at) => (isTypeName(texts[at] ?? '') ? (texts[at] ?? '') : text));
  return withTexts(value, texts, changed);
}

/** The type field of a content block, which stays. */
function isTypeName(text: string): boolean {
  return /^(?:text|code|markdown|output|input|stdout|stderr|stream|resource|image|document|file|message|tool_use|tool_result|assistant|user|system)$/.test(
    text,
  );
}

export function changeTexts(value: Json, change: (text: string) => string): Json {
  const { texts } = piecesOf(value);
  return withTexts(value, texts, texts.map(change));
}

interface JoinedSpans {
  readonly joined: Joined;
  readonly spans: readonly Span[];
}

function readTogether(
  pieces: readonly string[],
  notes: Notes,
  mode: 'closed' | 'open',
): JoinedSpans | undefined {
  const lines = new Joined(pieces, '\n');
  const spans = spansIn(lines.text, notes).filter(
    (span) => mode === 'open' || span.kind !== 'private' || isWholeBlock(lines.text, span),
  );
  if (spans.length > 0) return { joined: lines, spans };
  if (pieces.every((piece) => /^[ +\-\\]/.test(piece))) return undefined;
  // Chunks may be cut anywhere, lines may not: between lines only complete blocks count.
  const stream = new Joined(pieces, '');
  const areChunks = pieces.some((piece) => /^\r?\n|\n[^\n]+$/.test(piece));
  const cut = spansIn(stream.text).filter(
    (span) =>
      stream.isOverSeam(span) && ((areChunks && span.kind !== 'private') || isWholeBlock(stream.text, span)),
  );
  return cut.length === 0 ? undefined : { joined: stream, spans: cut };
}

function isWholeBlock(text: string, span: Span): boolean {
  if (span.kind === 'private') return isClosedPart(text, span);
  return span.kind === 'private-key' || span.kind === 'kubernetes-secret';
}

/** Pieces joined to one text, with the offsets to split it again. */
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

  /** The first and the last piece that a span touches. */
  piecesOf({ start, end }: Span): [number, number] {
    return [lastAtMost(this.#starts, start), lastAtMost(this.#starts, end - 1)];
  }

  isOverSeam(span: Span): boolean {
    const [first, last] = this.piecesOf(span);
    return first !== last;
  }

  /** The pieces without the spans, which are in order. A piece keeps its diff sign. */
  without(spans: readonly Span[], reader: Reader): string[] {
    const result = [...this.#pieces];
    // Last first, so that earlier offsets stay valid.
    for (const span of [...spans].reverse()) {
      const [first, last] = this.piecesOf(span);
      for (let at = last; at >= first; at--) {
        const piece = result[at] ?? '';
        const from = this.#starts[at] ?? 0;
        let start = Math.max(0, span.start - from);
        if (start === 0 && at > first && /^[ +-]/.test(piece)) start = 1;
        const end = Math.min((this.#pieces[at] ?? '').length, span.end - from);
        const secret = piece.slice(start, end);
        if (!/[^\s<>[\]{}(),;"'`|+-]/.test(secret) || /^<redacted:[a-z0-9-]+>$/.test(secret)) continue;
        reader.report(secret, span.kind);
        result[at] = piece.slice(0, start) + placeholder(span.kind) + piece.slice(end);
      }
    }
    return result;
  }
}

/** False for most values, which need no further reading: no two strings share a path. */
function hasPieces(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > 1 || value.some(hasPieces);
  const keys = Object.keys(value);
  return keys.some(isNumbered) || Object.values(value).some(hasPieces);
}

function isNumbered(key: string): boolean {
  const last = key.charCodeAt(key.length - 1);
  return last >= 48 && last <= 57;
}

/**
 * The strings of a value in order, and the indexes of those that share a path. Elements of an array share one, and so do keys that
 * differ in a number at their end.
 */
function piecesOf(value: Json): { texts: string[]; groups: number[][] } {
  const texts: string[] = [];
  const groups: number[][] = [[]];
  const paths = new Map<string, number>();
  const pathIn = (outer: number, name: string): number => {
    const path = paths.get(`${outer}/${name}`) ?? groups.push([]) - 1;
    paths.set(`${outer}/${name}`, path);
    return path;
  };
  const walk = (item: Json, path: number): void => {
    if (typeof item === 'string') groups[path]?.push(texts.push(item) - 1);
    else if (Array.isArray(item)) {
      const inner = pathIn(path, '*');
      for (const one of item) walk(one, inner);
    } else if (isObject(item)) {
      for (const [key, one] of Object.entries(item))
        walk(one, pathIn(path, isNumbered(key) ? key.replace(/\d+$/, '#') : key));
    }
  };
  walk(value, 0);
  return { texts, groups };
}

/** The value with its strings replaced, in the order of `piecesOf`; the value itself if none has changed. */
function withTexts(value: Json, former: readonly string[], texts: readonly string[]): Json {
  if (texts.every((text, at) => text === former[at])) return value;
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
