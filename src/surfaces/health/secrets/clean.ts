import { redact, redactObservation, redactText } from '../../../capture/redact/index.ts';
import {
  clientNames,
  isObject,
  type Json,
  own,
  parseJson,
  stringAt,
  type ToolEvent,
} from '../../../core/event/index.ts';
import { type Removed, removedBetween } from './removed.ts';

/** A text as it must be, with what was taken out of it. */
export interface Cleaned {
  readonly text: string;
  readonly kinds: Readonly<Record<string, number>>;
  readonly removed: readonly Removed[];
}

/** What today's rules make of a stored text, or null when they leave it as it is. */
export function cleanText(text: string): Cleaned | null {
  const { text: clean, kinds } = redactText(text);
  return clean === text ? null : { text: clean, kinds, removed: removedBetween(text, clean) };
}

/**
 * The same for a text that holds JSON: an event as capture redacts it, anything else value by value. What is no JSON
 * (a torn payload) is a text.
 */
export function cleanJsonText(text: string): Cleaned | null {
  const value = parseJson(text);
  if (value === undefined) return cleanText(text);
  const { value: clean, kinds, redactions } = redactJson(value);
  // A number that is a secret becomes a text: compared as JSON, not by identity.
  if (redactions === 0) return null;
  const cleaned = JSON.stringify(clean);
  return cleaned === JSON.stringify(value)
    ? null
    : { text: cleaned, kinds, removed: removedBetween(value, clean) };
}

/** The event in a JSON value, or null when it has not the shape. */
export function eventIn(value: Json | undefined): ToolEvent | null {
  if (!isObject(value)) return null;
  const client = clientNames.find((name) => name === own(value, 'client'));
  const [id, tool, sessionId, ts] = ['id', 'tool', 'sessionId', 'ts'].map((key) => stringAt(value, key));
  const [input, output] = [own(value, 'input'), own(value, 'output')];
  const [toolUseId, cwd] = [textOrNull(own(value, 'toolUseId')), textOrNull(own(value, 'cwd'))];
  const isError = own(value, 'isError');
  if (id === undefined || tool === undefined || sessionId === undefined || ts === undefined) return null;
  if (input === undefined || output === undefined || client === undefined) return null;
  if (toolUseId === undefined || cwd === undefined || typeof isError !== 'boolean') return null;
  // The order of the keys is that of the text: whoever compares the two needs it.
  return { ...value, id, tool, input, output, sessionId, toolUseId, ts, client, isError, cwd };
}

function redactJson(value: Json): {
  value: Json;
  kinds: Readonly<Record<string, number>>;
  redactions: number;
} {
  // A stored payload is an event but for its id, which it must not have afterwards either.
  const event = eventIn(isObject(value) ? { ...value, id: '' } : value);
  if (event === null || !isObject(value)) return redact(value);
  const { value: clean, kinds, redactions } = redactObservation(event);
  const { tool, input, output, sessionId, toolUseId, cwd } = clean;
  return { value: { ...value, tool, input, output, sessionId, toolUseId, cwd }, kinds, redactions };
}

function textOrNull(value: Json | undefined): string | null | undefined {
  return typeof value === 'string' || value === null ? value : undefined;
}
