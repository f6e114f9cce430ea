import { own, type ToolFamily, toolFamily } from '#core/event';
import { argument, type Call } from './call.ts';

/** The family by the tool's name, or for an unknown tool by its arguments. */
export function familyOf(call: Call): ToolFamily {
  const known = toolFamily(call.tool);
  if (known === 'command' && patchText(call) !== '') return 'edit';
  if (known === 'edit' && argument(call, 'command') === 'view') return 'read';
  if (known !== 'other' || isRemote(call.tool.toLowerCase())) return known;
  return byArguments(call);
}

/** The arguments of an MCP tool mean what its server says. */
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

/** A patch in the apply_patch form. It may be any argument, or part of a shell command. */
export function patchText(call: Call): string {
  for (const text of [
    argument(call, 'command', 'input', 'patch', 'patchText', 'diff', 'cmd'),
    commandWords(call),
  ]) {
    const start = text.indexOf('*** Begin Patch');
    if (start >= 0) return text.slice(start);
    if (text.startsWith('--- ') && text.includes('\n+++ ')) return text;
  }
  return '';
}

function commandWords(call: Call): string {
  const command = own(call.input, 'command');
  return Array.isArray(command) ? command.filter((item) => typeof item === 'string').join(' ') : '';
}
