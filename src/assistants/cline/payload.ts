import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';
import { type Payload, parsedJson, readHookCall, readHookMessage, without } from '../form/index.ts';

/** What memd's plugin reports: Claude Code's events with Cline's results, and the id of a message (recorded with 3.0.65). */
export const payload: Payload = {
  recognises: (payload) => payload.client === 'cline' && 'hook_event_name' in payload,
  read(payload) {
    const call = readHookCall(payload, clineResult);
    return call === null ? readHookMessage(payload) : { ...call, input: clineInput(call.input) };
  },
};

/** The commands of one call as one script. */
export function clineInput(input: Json | undefined): Json | undefined {
  const commands = isObject(input) ? own(input, 'commands') : undefined;
  if (!isObject(input) || !Array.isArray(commands)) return input;
  const lines = commands.filter((one) => typeof one === 'string');
  return lines.length < commands.length
    ? input
    : { command: lines.join('\n'), ...without(input, 'commands') };
}

/** The results of the call's parts (`{query, result, success}`), without `query`, which is a part of the arguments; one alone as it is. */
export function clineResult(given: Json | undefined): { output: Json | undefined; isError: boolean } {
  const value = parsedJson(given);
  const parts = Array.isArray(value) ? value.map(partOf) : [];
  const output = parts.length > 1 ? parts : (parts[0] ?? (isObject(value) ? partOf(value) : value));
  const isError = [output].flat().some((one) => isObject(one) && (one.success === false || 'error' in one));
  return { output, isError };
}

function partOf(part: Json): Json {
  if (!isObject(part)) return part;
  const exit = exited.exec(stringAt(part, 'error') ?? '');
  const rest: JsonObject = without(part, 'query', ...(exit === null ? [] : ['error']));
  const text = (stringAt(part, 'result') ?? '').replace(header, '');
  return exit === null ? rest : { ...rest, result: text, exitCode: Number(exit[1]) };
}

const exited = /^Command exited with code (-?\d{1,6})$/;
const header = /^\[Command exited with code -?\d{1,6}\]\n*/;
