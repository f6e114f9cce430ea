import * as v from 'valibot';
import { isObject, type Json, type JsonObject, objectAt, own } from '../../core/event/index.ts';
import type { Client, Ignored, ReportedCall } from './client.ts';
import { id, json, name, shaped, text, without } from './fields.ts';
import { ignored } from './other-events.ts';

/**
 * OpenCode: the two arguments of `tool.execute.after`, and the plugin's folder where it sends it. A call
 * that throws is not reported (recorded with 1.18.33; CLIENTS.md, section 2).
 */
export const opencode: Client = {
  name: 'opencode',
  recognises: (payload) => !('tool' in payload) && shaped(after, payload) !== null,
  read: readOpencode,
};

const after = v.object({
  input: v.object({ tool: name, sessionID: name, callID: id, args: json }),
  output: json,
  directory: text,
  cwd: text,
  timestamp: json,
});

export function readOpencode(payload: JsonObject): ReportedCall | Ignored | null {
  const hook = shaped(after, payload);
  if (hook === null) return null;
  const output = hook.output ?? '';
  // Before the call the arguments are what the hook may still change, so they stand in `output`.
  const isBefore = hook.input.args === undefined && isObject(output) && 'args' in output;
  if (isBefore) return ignored('tool.execute.before event', payload);
  return {
    kind: 'call',
    tool: hook.input.tool,
    input: hook.input.args,
    output: withoutRepeats(output),
    sessionId: hook.input.sessionID,
    toolUseId: hook.input.callID,
    ts: hook.timestamp,
    isError: exitFailed(output),
    cwd: hook.cwd ?? hook.directory,
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
  let kept = without(metadata, ...repeats);
  const filediff = objectAt(kept, 'filediff');
  if (filediff !== undefined) {
    const patch = own(filediff, 'patch') === own(kept, 'diff') ? ['patch'] : [];
    kept = { ...kept, filediff: without(filediff, 'before', 'after', ...patch) };
  }
  const display = objectAt(kept, 'display');
  // A file's lines stand numbered in `output`, so that the text is not literally in it.
  if (display !== undefined && typeof said === 'string')
    kept = { ...kept, display: without(display, 'text') };
  return { ...output, metadata: kept };
}

function isIn(part: Json | undefined, whole: Json | undefined): boolean {
  return typeof part === 'string' && typeof whole === 'string' && whole.includes(part);
}
