import { type Json, parsedArguments } from '#core/event';
import { stripBinary } from './strip-binary.ts';

/** Arguments or results that arrive as JSON text, parsed; the text itself was stripped as one string. */
export function parsedJson(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  const parsed = parsedArguments(value);
  return parsed === value ? value : stripBinary(parsed);
}
