import * as v from 'valibot';
import { isObject, type Json, type JsonObject, objectAt, own } from '../../core/event/index.ts';
import type { Client, Told } from './client.ts';
import { id, json, name, shaped, text, without } from './fields.ts';

/**
 * OpenCode: the two arguments of `tool.execute.after`, `{input: {tool, sessionID, callID, args}, output}`,
 * with the plugin's folder beside them where it sends it. It tells nothing of a call that threw
 * (recorded with 1.18.33; CLIENTS.md, section 2).
 */
export const opencode: Client = {
  name: 'opencode',
  recognises: (payload) => !('tool' in payload) && shaped(after, payload) !== null,
  tell: readOpencode,
};

const after = v.object({
  input: v.object({ tool: name, sessionID: name, callID: id, args: json }),
  output: json,
  directory: text,
  cwd: text,
  timestamp: json,
});

function readOpencode(payload: JsonObject): Told {
  const told = shaped(after, payload);
  if (told === null) return null;
  const output = told.output ?? '';
  // Before the call the arguments are what the hook may still change, so they stand in `output`.
  const isBefore = told.input.args === undefined && isObject(output) && 'args' in output;
  if (isBefore) return { ignored: 'tool.execute.before event' };
  return {
    call: {
      tool: told.input.tool,
      input: told.input.args,
      output: withoutRepeats(output),
      sessionId: told.input.sessionID,
      toolUseId: told.input.callID,
      ts: told.timestamp,
      isError: exitFailed(output),
      cwd: told.cwd ?? told.directory,
    },
  };
}

function exitFailed(output: Json): boolean {
  const exit = isObject(output) ? objectAt(output, 'metadata')?.exit : undefined;
  return typeof exit === 'number' && exit !== 0;
}

/** `metadata` says again, for the eye, what `output` says, and a file's change twice or with the whole file. */
function withoutRepeats(output: Json): Json {
  if (!isObject(output)) return output;
  const metadata = objectAt(output, 'metadata');
  if (metadata === undefined) return output;
  const said = own(output, 'output');
  const repeats = ['output', 'preview'].filter((key) => isIn(own(metadata, key), said));
  let lean = without(metadata, ...repeats);
  const filediff = objectAt(lean, 'filediff');
  if (filediff !== undefined) {
    const patch = own(filediff, 'patch') === own(lean, 'diff') ? ['patch'] : [];
    lean = { ...lean, filediff: without(filediff, 'before', 'after', ...patch) };
  }
  const display = objectAt(lean, 'display');
  // A file's lines stand numbered in `output`, so that the text is not literally in it.
  if (display !== undefined && typeof said === 'string')
    lean = { ...lean, display: without(display, 'text') };
  return { ...output, metadata: lean };
}

function isIn(part: Json | undefined, whole: Json | undefined): boolean {
  return typeof part === 'string' && typeof whole === 'string' && whole.includes(part);
}
