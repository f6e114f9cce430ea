import type { Json } from '../../core/event/index.ts';
import { stripBinary } from './strip-binary.ts';

/** The value of a text that is a JSON object or array; any other value as it is. */
export function parsedJson(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    const inner: Json = JSON.parse(value);
    return stripBinary(inner);
  } catch {
    // A text that only begins like JSON is a text like any other.
    return value;
  }
}
