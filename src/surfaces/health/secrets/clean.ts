import { parseJson } from '#core/event';
import { joinKinds, type Kinds, redactPayload } from '#memory/archive';
import { redactText } from '#redact/engine';
import { removedBetween } from './removed.ts';

/** A redacted text and what was removed from it; null if today's rules change nothing. */
export function cleanText(text: string) {
  const { text: clean, kinds } = redactText(text);
  return clean === text ? null : { text: clean, kinds, removed: removedBetween(text, clean) };
}

/** Redacts an event in JSON as capture does, other JSON value by value, and anything else (a torn payload) as text. */
export function cleanJsonText(text: string): ReturnType<typeof cleanText> {
  const value = parseJson(text);
  if (value === undefined) return cleanText(text);
  const { value: clean, kinds, redactions } = redactPayload(value);
  if (redactions === 0) return null;
  const cleaned = JSON.stringify(clean);
  if (cleaned === JSON.stringify(value)) return null;
  return { text: cleaned, kinds, removed: removedBetween(value, clean) };
}

/** Counts, per place, the rows or lines with secrets and the kinds of these. Holds nothing of the secrets. */
export class Tally {
  readonly places = new Map<string, { rows: number; kinds: Kinds }>();

  add(place: string, kinds: Kinds): void {
    const { rows, kinds: earlier } = this.places.get(place) ?? { rows: 0, kinds: {} };
    this.places.set(place, { rows: rows + 1, kinds: joinKinds(earlier, kinds) });
  }

  /** `events: 2 rows (aws-access-key 3, env 1)` for each place, the most frequent kind first. */
  inWords(unit: string): string[] {
    return [...this.places].map(([place, { rows, kinds }]) => {
      const frequent = Object.entries(kinds).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      const list = frequent.map((one) => one.join(' ')).join(', ');
      return `${place}: ${rows} ${unit}${rows === 1 ? '' : 's'} (${list})`;
    });
  }
}
