import * as v from 'valibot';
import {
  type ClientName,
  clientNames,
  isObject,
  type Json,
  type JsonObject,
  stringAt,
} from '../../core/event/index.ts';
import type { Client, Told } from './client.ts';
import { id, json, name, shaped, text, without } from './fields.ts';
import { eventName, isOtherEventName } from './other-events.ts';

/** The plain shape of spec 2.6 with the further fields of the contract's `capture`. */
export const generic: Client = {
  name: 'generic',
  recognises: (payload) => stringAt(payload, 'tool') !== undefined,
  tell: readPlain,
};

const plain = v.object({
  tool: name,
  input: json,
  output: json,
  sessionId: id,
  toolUseId: id,
  ts: json,
  isError: v.fallback(v.boolean(), false),
  cwd: text,
});

function readPlain(payload: JsonObject): Told {
  if (isOtherEventName(eventName(payload))) return null;
  const told = shaped(plain, payload);
  if (told === null || (told.input === undefined && told.output === undefined)) return null;
  return {
    call: {
      ...told,
      input: told.input,
      ts: told.ts,
      output: told.output === undefined ? rest(payload) : told.output,
    },
  };
}

/** A result under another name is kept with what else there is. */
function rest(payload: JsonObject): Json {
  const known = ['tool', 'input', 'sessionId', 'toolUseId', 'ts', 'client', 'isError', 'cwd', 'op', 'rid'];
  const unknown = without(payload, ...known);
  return Object.keys(unknown).length === 0 ? '' : unknown;
}

/** Whose call a plain payload is: the known client that it names itself, else the one the hook names. */
export function labelOf(payload: Json, asked: string | undefined): ClientName {
  const own = isObject(payload) ? stringAt(payload, 'client') : undefined;
  return known(own) ?? known(asked) ?? 'generic';
}

function known(label: string | undefined): ClientName | undefined {
  return clientNames.find((candidate) => candidate === label);
}
