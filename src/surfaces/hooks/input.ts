import { isObject, type Json, type JsonObject } from '../../core/event/index.ts';
import { stdinPatienceMs } from '../../core/limits.ts';
import { Failure, jsonErrorOf, messageOf, orElse } from '../../core/platform/index.ts';
import { isWhole, readStdin } from './stdin.ts';

/**
 * Reads the payload of a hook once: calls `take` with it, or `refuse` with the reason why it is missing. Some clients keep the input
 * open, so after a while a whole payload is enough.
 */
export function readPayload(take: (payload: JsonObject) => void, refuse: (reason: string) => void): void {
  let isTaken = false;
  const ended = (text: string): void => {
    if (isTaken) return;
    isTaken = true;
    let payload: JsonObject;
    try {
      payload = payloadIn(text);
    } catch (error) {
      refuse(messageOf(error));
      return;
    }
    take(payload);
  };
  const stdin = readStdin(ended, (error) => refuse(messageOf(error)));
  setTimeout(() => {
    const text = stdin.soFar();
    if (!isTaken && isWhole(text)) ended(text);
  }, stdinPatienceMs);
}

/** The payload in a hook's whole input. @throws Failure `bad_input` */
export function payloadIn(text: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('bad_input', `the input is not JSON: ${jsonErrorOf(error)}`);
  }
  if (isObject(value)) return value;
  throw new Failure('bad_input', 'the input is not a JSON object');
}

/** The value of `--name` on the hook's command line. */
export function argument(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
}

/** The folder that the hook runs in; null when it has been removed. */
export function ownFolder(): string | null {
  // The hook works without it.
  return orElse(() => process.cwd(), null);
}
