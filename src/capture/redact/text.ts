import { withoutMiddle } from '../../core/event/index.ts';
import { redactBlockCharsMax, redactPassesMax } from '../../core/limits.ts';
import { closingTags, isClosedPart } from './private-parts.ts';
import type { Notes, Span } from './rule.ts';
import { spansOf } from './scan.ts';
import { viewsOf } from './views.ts';

// Longer than the pieces in which doctor reads a file.
const viewedWholeCharsMax = 2 * 1024 * 1024;
const viewedEndChars = 256 * 1024;

export interface RedactedText {
  readonly text: string;
  /** How many places were replaced. */
  readonly redactions: number;
  /** The same by KIND. */
  readonly kinds: Readonly<Record<string, number>>;
}

/**
 * `text` with every secret found replaced by `<redacted:KIND>`. Reads the text once for keywords and tries
 * each rule only where one of its keywords stands; linear in the length of the text. Repeats until nothing is
 * found any more, so that redacting the result changes nothing.
 */
export function redactText(text: string, reader?: Reader): RedactedText {
  const kinds: Record<string, number> = {};
  let redactions = 0;
  let current = text;
  let isClean = false;
  for (let pass = 0; pass < redactPassesMax && !isClean; pass++) {
    const known = reader?.clean.get(current);
    const notes: Notes = { isPrefixed: false, hasLooseEnd: known ?? false };
    const spans = known === undefined ? spansIn(current, notes) : [];
    if (reader !== undefined && notes.hasLooseEnd) reader.notes.hasLooseEnd = true;
    for (const span of spans) {
      kinds[span.kind] = (kinds[span.kind] ?? 0) + 1;
      reader?.report(current.slice(span.start, span.end), span.kind);
    }
    redactions += spans.length;
    current = replace(current, spans);
    isClean = spans.length === 0;
    // After the last pass it counts as clean: more of them would find no end either.
    if ((isClean || pass === redactPassesMax - 1) && current.length >= rememberedCharsMin)
      reader?.clean.set(current, notes.hasLooseEnd);
  }
  return { text: current, redactions, kinds };
}

/** Reading a short text again costs less than remembering it. */
const rememberedCharsMin = 4_096;

/** What a caller wants to know of the texts that it reads. */
export interface Reader {
  /** Is set to what the texts ask for; never reset. */
  readonly notes: Notes;
  readonly report: (secret: string, kind: string) => void;
  /** Long texts in which nothing is found, and whether they have a loose end. */
  readonly clean: Map<string, boolean>;
}

/**
 * A text of which only the ends will be stored: over `longTextChars`, it is read once as a whole, and its middle is left out
 * before what costs several times more. The `<private>` tags that belong to other texts stay.
 */
export function shortenText(text: string, report: Reader['report']): string {
  if (text.length <= longTextChars) return text;
  const notes: Notes = { isPrefixed: false, hasLooseEnd: false };
  const found = spansOf(text, notes);
  const open = found.find((span) => span.kind === 'private' && !isClosedPart(text, span));
  const end = open?.start ?? text.length;
  const spans = found.flatMap((span) =>
    span.start < end ? [{ ...span, end: Math.min(span.end, end) }] : [],
  );
  const merged = merge(spans, text);
  for (const span of merged) report(text.slice(span.start, span.end), span.kind);
  const clean = replace(text.slice(0, end), merged) + (open === undefined ? '' : '<private>');
  return withoutMiddle(
    clean,
    longTextEndChars,
    longTextEndChars,
    notes.hasLooseEnd ? closingTags : undefined,
  );
}

const longTextChars = 512 * 1024;
/** Several times what is stored of a text (`textCharsMax`), and than the longest block that a rule reads. */
const longTextEndChars = 2 * redactBlockCharsMax;

/** The parts of a text that are secrets, in order and apart. */
export function spansIn(text: string, notes?: Notes): Span[] {
  const own: Notes = { isPrefixed: false, hasLooseEnd: false };
  const spans = spansOf(text, own);
  for (const [offset, last] of own.isPrefixed ? viewedParts(text) : []) {
    for (const { text: shown, origin } of viewsOf(text.slice(offset, last))) {
      for (const span of spansOf(shown, own)) {
        const [start, end] = [offset + origin(span.start), offset + origin(span.end - 1) + 1];
        spans.push({ ...span, start, end });
      }
    }
  }
  if (notes !== undefined && own.hasLooseEnd) notes.hasLooseEnd = true;
  return spans.length === 0 ? spans : merge(spans, text);
}

/**
 * Which parts of a text are read in other views: all of it, or the two ends of one over `viewedWholeCharsMax`. What is kept of such
 * a text is much shorter than an end (`textCharsMax`), and a view costs several times what the text itself does.
 */
function viewedParts(text: string): readonly (readonly [start: number, end: number])[] {
  if (text.length <= viewedWholeCharsMax) return [[0, text.length]];
  return [
    [0, viewedEndChars],
    [text.length - viewedEndChars, text.length],
  ];
}

/** The placeholder for a kind. */
export function placeholder(kind: string): string {
  return `<redacted:${kind}>`;
}

/** Overlapping spans become one, with the extent of all and the kind of the highest rank. */
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
  return {
    start: Math.min(one.start, other.start),
    end: Math.max(one.end, other.end),
    kind: higher.kind,
    rank: higher.rank,
  };
}

function isPlaceholderOnly(text: string): boolean {
  return text.startsWith('<redacted:') && /^(?:<redacted:[a-z0-9-]{1,60}>)+$/.test(text);
}

function replace(text: string, spans: readonly Span[]): string {
  let result = '';
  let from = 0;
  for (const span of spans) {
    result += text.slice(from, span.start) + placeholder(span.kind);
    from = span.end;
  }
  return result + text.slice(from);
}
