import type { IncomingMessage } from 'node:http';
import { isObject, type Json, type JsonObject } from '../../core/event/index.ts';
import { bridgeBodyBytesMax } from '../../core/limits.ts';
import { Failure } from '../../core/platform/index.ts';

/** Refuses by its declared length, before reading. @throws Failure `too_large` */
export function checkLength(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > bridgeBodyBytesMax) throw tooLarge();
}

/** The JSON object in a request's body. @throws Failure `too_large`, `bad_request`, `gone` */
export async function objectIn(request: IncomingMessage): Promise<JsonObject> {
  const bytes = await bodyOf(request);
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Failure('bad_request', 'the body is not JSON in UTF-8');
  }
  if (isObject(value)) return value;
  throw new Failure('bad_request', 'the body must be a JSON object');
}

function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= bridgeBodyBytesMax) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      reject(tooLarge());
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => reject(new Failure('gone', 'the request was aborted')));
    request.once('error', () => reject(new Failure('gone', 'the request was aborted')));
  });
}

function tooLarge(): Failure {
  return new Failure('too_large', `a body has at most ${bridgeBodyBytesMax} bytes`);
}
