import { cutToLimits, isObject, parseJson } from '#core/event';
import { authorName } from '#core/text';
import type { ArchiveRow } from '#memory/store';
import { redactText } from '#redact/engine';
import { redactPayload } from './payload.ts';

/**
 * A row without secrets and within limits, as if it were captured now: the file may come from anywhere, or from an older memd
 * with fewer rules. Ids stay, since they identify duplicates; a row whose id holds a secret is refused.
 */
export function clean(
  row: ArchiveRow,
): { readonly row: ArchiveRow; readonly redactions: number } | { readonly reason: string } {
  if (eventsNamedBy(row).some((id) => !ownId.test(id) && redactText(id).redactions > 0))
    return { reason: 'an id that holds a secret' };
  const counted = new Counted();
  return { row: cleaned(row, counted), redactions: counted.redactions };
}

/** An author's name as it is kept, without secrets. */
export function authorIn(given: string): string {
  return redactText(authorName(given)).text;
}

/** An id that memd made: a hash. */
const ownId = /^(?:ev|pr)_[0-9a-f]{24}$/;

/** The ids of the events that a row has or names. */
export function eventsNamedBy(row: object): string[] {
  const named: Readonly<Record<string, unknown>> = { ...row };
  return ['id', 'eventId', 'from', 'to', 'lastEvent'].flatMap((name) =>
    typeof named[name] === 'string' ? [named[name]] : [],
  );
}

/** Counts what it redacts. */
class Counted {
  redactions = 0;

  text(text: string, isSaid = false): string {
    const clean = redactText(text, undefined, isSaid);
    this.redactions += clean.redactions;
    return clean.text;
  }
}

/** The texts of a row that anybody may have written. */
const textsOf: { readonly [Type in ArchiveRow['type']]: readonly string[] } = {
  event: ['sessionId', 'tool', 'toolUseId', 'lastError'],
  summary: ['text', 'terms', 'model'],
  edge: ['evidence'],
  prompt: ['sessionId', 'text'],
  digest: ['sessionId', 'text', 'terms', 'model'],
  forgotten: [],
};

function cleaned(row: ArchiveRow, counted: Counted): ArchiveRow {
  const names = new Set([...textsOf[row.type], 'author', 'device', 'pinnedBy']);
  const texts = Object.entries(row).flatMap(([name, text]) =>
    names.has(name) && typeof text === 'string' ? [[name, counted.text(text, row.type === 'prompt')]] : [],
  );
  const payload = row.type === 'event' && { payloadJson: cleanPayload(row.payloadJson, counted) };
  return { ...row, ...Object.fromEntries(texts), ...payload };
}

function cleanPayload(payloadJson: string, counted: Counted): string {
  const payload = parseJson(payloadJson);
  // Not JSON: redacted as a text.
  if (payload === undefined) return counted.text(payloadJson);
  const { value, redactions, event } = redactPayload(payload);
  counted.redactions += redactions;
  if (event === null || !isObject(value)) return redactions === 0 ? payloadJson : JSON.stringify(value);
  // The keys keep their order, so that an unchanged payload stays the same text.
  const { input, output } = cutToLimits(event);
  return JSON.stringify({ ...value, input, output });
}
