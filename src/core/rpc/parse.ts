import { isUtf8 } from 'node:buffer';
import { isObject, type Json, type JsonObject } from '#core/event';
import { jsonErrorOf } from '#core/platform';
import { refusal } from './protocol.ts';

/** The object in a request's bytes. @throws Failure `bad_request` */
export function parseRequest(bytes: Buffer): JsonObject {
  if (!isUtf8(bytes)) throw refusal('bad_request', 'the request is not UTF-8');
  let value: Json;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw refusal('bad_request', `the request is not JSON: ${jsonErrorOf(error)}`);
  }
  if (isObject(value)) return value;
  throw refusal('bad_request', 'the request is not a JSON object');
}
