import fs from 'node:fs';
import { Socket } from 'node:net';
import { isObject, type Json, type JsonObject, parseJson } from '#core/event';
import { hookInputBytesMax, stdinPatienceMs } from '#core/limits';
import { Failure, jsonErrorOf, messageOf, orElse } from '#core/platform';

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

export interface Stdin {
  /** The text up to now. */
  soFar(): string;
}

/**
 * Reads standard input. `process.stdin` costs a hook 3 ms at start; a socket costs almost nothing, since the hook needs the module anyway.
 * A file or a device such as `/dev/null` is read synchronously. Calls `ended` with the whole input, or `failed` (`too_large`, `no_input`,
 * or a system error), never before this function has returned.
 */
export function readStdin(ended: (text: string) => void, failed: (error: Error) => void): Stdin {
  const chunks: Buffer[] = [];
  const soFar = (): string => {
    const text = Buffer.concat(chunks).toString('utf8');
    // A byte order mark is not JSON.
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  };
  const kind = fs.fstatSync(0);
  if (!kind.isFIFO() && !kind.isSocket()) {
    if (kind.isCharacterDevice() && process.stdin.isTTY) {
      process.nextTick(failed, new Failure('no_input', 'stdin is a terminal'));
    } else {
      chunks.push(fs.readFileSync(0));
      process.nextTick(() => ended(soFar()));
    }
    return { soFar };
  }
  const stdin = new Socket({ fd: 0, readable: true, writable: false });
  let bytes = 0;
  stdin.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= hookInputBytesMax) return;
    stdin.destroy();
    failed(new Failure('too_large', `the input has more than ${hookInputBytesMax} bytes`));
  });
  stdin.on('end', () => ended(soFar()));
  stdin.on('error', failed);
  return { soFar };
}

/** Whether the text is complete JSON. Some clients keep the input open after it. */
export function isWhole(text: string): boolean {
  return parseJson(text) !== undefined;
}
