import { clientNames } from '../../../assistants/table/index.ts';
import { redact, redactObservation, redactText } from '../../../capture/redact/index.ts';
import { isObject, type Json, own, parseJson, stringAt, type ToolEvent } from '../../../core/event/index.ts';
import { messageIn } from '../../../memory/store/index.ts';
import { type Removed, removedBetween } from './removed.ts';
import type { Kinds } from './tally.ts';

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
  const { value: clean, kinds, redactions } = redactJson(value);
  if (redactions === 0) return null;
  const cleaned = JSON.stringify(clean);
  if (cleaned === JSON.stringify(value)) return null;
  return { text: cleaned, kinds, removed: removedBetween(value, clean) };
}

/** The event in a JSON value, or null if the value has another shape. */
export function eventIn(value: Json | undefined): ToolEvent | null {
  if (!isObject(value)) return null;
  const client = clientNames.find((name) => name === own(value, 'client'));
  const [id, tool, sessionId, ts] = ['id', 'tool', 'sessionId', 'ts'].map((key) => stringAt(value, key));
  const [input, output] = [own(value, 'input'), own(value, 'output')];
  const [toolUseId, cwd] = [textOrNull(own(value, 'toolUseId')), textOrNull(own(value, 'cwd'))];
  const isError = own(value, 'isError');
  const message = messageIn(value);
  if (message === undefined && own(value, 'message') !== undefined) return null;
  if (id === undefined || tool === undefined || sessionId === undefined || ts === undefined) return null;
  if (input === undefined || output === undefined || client === undefined) return null;
  if (toolUseId === undefined || cwd === undefined || typeof isError !== 'boolean') return null;
  // Keeps the order of the keys, which callers compare.
  const call = { ...value, id, tool, input, output, sessionId, toolUseId, ts, client, isError, cwd };
  return message === undefined ? call : { ...call, message };
}

function redactJson(value: Json): { value: Json; kinds: Kinds; redactions: number } {
  // A stored payload is an event without its id.
  const event = eventIn(isObject(value) ? { ...value, id: '' } : value);
  if (event === null || !isObject(value)) return redact(value);
  const { value: clean, kinds, redactions } = redactObservation(event);
  const { tool, input, output, sessionId, toolUseId, cwd, message } = clean;
  const texts = { tool, input, output, sessionId, toolUseId, cwd };
  const all = message === undefined ? texts : { ...texts, message };
  return { value: { ...value, ...all }, kinds, redactions };
}

function textOrNull(value: Json | undefined): string | null | undefined {
  return typeof value === 'string' || value === null ? value : undefined;
}
