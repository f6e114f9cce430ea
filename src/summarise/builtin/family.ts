import { own, type ToolFamily, toolFamily } from '../../event/index.ts';
import { argument, type Call } from './call.ts';
import { patchText } from './change.ts';

/** The family by the tool's name; a tool nobody knows by the arguments that only one family takes. */
export function familyOf(call: Call): ToolFamily {
  const known = toolFamily(call.tool);
  if (known === 'command' && patchText(call) !== '') return 'edit';
  if (known === 'edit' && argument(call, 'command') === 'view') return 'read';
  if (known !== 'other' || isRemote(call.tool.toLowerCase())) return known;
  return byArguments(call);
}

/** Tools of MCP servers, whose arguments mean what their server says. */
function isRemote(name: string): boolean {
  return name.startsWith('mcp_');
}

function byArguments(call: Call): ToolFamily {
  const has = (key: string): boolean => typeof own(call.input, key) === 'string';
  if (patchText(call) !== '') return 'edit';
  if ((has('old_string') && has('new_string')) || (has('oldString') && has('newString'))) return 'edit';
  if (has('file_path') && has('content')) return 'edit';
  if (has('command') || has('cmd')) return 'command';
  if (has('prompt') && has('subagent_type')) return 'agent';
  return 'other';
}
