import { withoutMiddle } from '#core/event';
import { redactBlockCharsMax, redactPassesMax } from '#core/limits';
import { Notes, type Span } from '#redact/form';
import { closingTags, isClosedPart, shapesIn, tagAt, unveiled, type View, viewsOf } from '#redact/scanners';
import { spansOf } from './scan.ts';

// Longer than the chunks in which `memd doctor` reads a file.
const viewedWholeCharsMax = 2 * 1024 * 1024;
const viewedEndChars = 256 * 1024;

/** Redactions, and how many of each KIND, the word in `<redacted:KIND>`. */
export interface Counted {
  readonly redactions: number;
  readonly kinds: Readonly<Record<string, number>>;
}

export interface RedactedText extends Counted {
  readonly text: string;
}

export class Counts implements Counted {
  redactions = 0;
  readonly kinds: Record<string, number> = {};

  add(kind: string, count = 1): void {
    this.redactions += count;
    this.kinds[kind] = (this.kinds[kind] ?? 0) + count;
  }

  addAll({ kinds }: Counted): void {
    for (const [kind, count] of Object.entries(kinds)) this.add(kind, count);
  }
}

/**
 * `text` with every secret replaced by `<redacted:KIND>`. Repeats until nothing more is found, so that redacting
 * the result changes nothing. Linear. `isSaid`: a message or another text in sentences, in which a word with the form of a password is one.
 */
export function redactText(text: string, reader?: Reader, isSaid = reader?.isSaid ?? false): RedactedText {
  const counts = new Counts();
  let current = text;
  let isClean = false;
  for (let pass = 0; pass < redactPassesMax && !isClean; pass++) {
    const known = reader?.clean.get(current);
    const notes = Object.assign(new Notes(), { hasLooseEnd: known ?? false });
    const spans = known === undefined ? spansIn(current, notes, isSaid) : [];
    if (reader !== undefined && notes.hasLooseEnd) reader.notes.hasLooseEnd = true;
    for (const span of spans) counts.add(span.kind);
    current = replace(current, spans, reader?.report);
    isClean = spans.length === 0;
    // After the last pass a text counts as clean: more passes would not finish either.
    if ((isClean || pass === redactPassesMax - 1) && current.length >= rememberedCharsMin)
      reader?.clean.set(current, notes.hasLooseEnd);
  }
  return { text: current, redactions: counts.redactions, kinds: counts.kinds };
}

/** Reading a short text again costs less than remembering it. */
const rememberedCharsMin = 4_096;

/** Collects what a caller needs to know about the texts it reads. */
export interface Reader {
  /** Only ever set, never reset. */
  readonly notes: Notes;
  readonly report: (secret: string, kind: string) => void;
  /** The texts are sentences. */
  readonly isSaid: boolean;
  /** Long texts without secrets, and whether each has an open block. */
  readonly clean: Map<string, boolean>;
}

/**
 * For a text whose ends alone are stored: reads a long one once as a whole, then cuts its middle before the slower
 * passes. Keeps the `<private>` tags that other texts close or open.
 */
export function shortenText(text: string, report: Reader['report']): string {
  if (text.length <= longTextChars) return text;
  const notes = new Notes();
  const found = spansOf(text, notes);
  const open = found.find((span) => span.kind === 'private' && !isClosedPart(text, span));
  const end = open?.start ?? text.length;
  const spans = found
    .filter((span) => span.start < end)
    .map((span) => ({ ...span, end: Math.min(span.end, end) }));
  const clean = replace(text.slice(0, end), merge(spans, text), report);
  const tag = open === undefined ? '' : tagAt(text, open.start);
  const kept = notes.hasLooseEnd ? closingTags : undefined;
  return withoutMiddle(clean + tag, longTextEndChars, longTextEndChars, kept);
}

const longTextChars = 512 * 1024;
/** Longer than the stored part of a text (`textCharsMax`) and than the longest block of a rule. */
const longTextEndChars = 2 * redactBlockCharsMax;

/** The secrets in a text, in order and without overlaps. */
export function spansIn(text: string, notes?: Notes, isSaid = false): Span[] {
  const own = new Notes();
  const spans = spansOf(text, own);
  if (isSaid) shapesIn(text, (span) => spans.push(span));
  const read = (view: View): void => {
    for (const span of spansOf(view.text, own)) {
      if (isPlaceholderOnly(view.text.slice(span.start, span.end))) continue;
      spans.push({ ...span, start: view.origin(span.start), end: view.origin(span.end - 1) + 1 });
    }
  };
  for (const [offset, last] of own.isPrefixed || own.isVeiled ? viewedParts(text) : []) {
    const part: View = { text: text.slice(offset, last), origin: (at) => offset + at };
    const seen = own.isVeiled ? unveiled(part) : part;
    if (seen.text !== part.text) read(seen);
    if (own.isPrefixed) for (const view of viewsOf(seen)) read(view);
  }
  if (notes !== undefined && own.hasLooseEnd) notes.hasLooseEnd = true;
  return spans.length === 0 ? spans : merge(spans, text);
}

/**
 * The parts of a text to read in other views, which cost several times more than the text: all of it, or both ends
 * of a very long one.
 */
function viewedParts(text: string): readonly (readonly [start: number, end: number])[] {
  if (text.length <= viewedWholeCharsMax) return [[0, text.length]];
  return [
    [0, viewedEndChars],
    [text.length - viewedEndChars, text.length],
  ];
}

export function placeholder(kind: string): string {
  return `<redacted:${kind}>`;
}

/** Overlapping spans become one, with the kind of the highest rank. */
function merge(spans: readonly Span[], text: string): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else merged[merged.length - 1] = join(last, span);
  }
  return merged.filter((span) => !isPlaceholderOnly(text.slice(span.start, span.end)));
}

function join(one: Span, other: Span): Span {
  const higher = other.rank > one.rank ? other : one;
  return { ...higher, start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}

function isPlaceholderOnly(text: string): boolean {
  return text.startsWith('<redacted:') && /^(?:<redacted:[a-z0-9-]{1,60}>)+$/.test(text);
}

function replace(text: string, spans: readonly Span[], report?: Reader['report']): string {
  let result = '';
  let from = 0;
  for (const span of spans) {
    report?.(text.slice(span.start, span.end), span.kind);
    result += text.slice(from, span.start) + placeholder(span.kind);
    from = span.end;
  }
  return result + text.slice(from);
}
