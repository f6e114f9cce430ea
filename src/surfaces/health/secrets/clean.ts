import { parseJson } from '../../../core/event/index.ts';
import { type Kinds, redactPayload } from '../../../memory/archive/index.ts';
import { redactText } from '../../../redact/engine/index.ts';
import { type Removed, removedBetween } from './removed.ts';

/** A redacted text and what was removed from it. */
export interface Cleaned {
  readonly text: string;
  readonly kinds: Kinds;
  readonly removed: readonly Removed[];
}

/** Null if today's rules change nothing. */
export function cleanText(text: string): Cleaned | null {
  const { text: clean, kinds } = redactText(text);
  return clean === text ? null : { text: clean, kinds, removed: removedBetween(text, clean) };
}

/** Redacts an event in JSON as capture does, other JSON value by value, and anything else (a torn payload) as text. */
export function cleanJsonText(text: string): Cleaned | null {
  const value = parseJson(text);
  if (value === undefined) return cleanText(text);
  const { value: clean, kinds, redactions } = redactPayload(value);
  if (redactions === 0) return null;
  const cleaned = JSON.stringify(clean);
  if (cleaned === JSON.stringify(value)) return null;
  return { text: cleaned, kinds, removed: removedBetween(value, clean) };
}
