import { isObject, type Json, own, toolFamily } from '#core/event';
import { showsOwnInShell } from './own-commands.ts';
import { isOwnFile, isOwnPage } from './own-files.ts';

/**
 * Whether a call shows what memd itself has stored or says, and nothing else: `mem` and `memd` in a shell, a file below `~/.memd`, its
 * page. A command that does or shows anything of the project too does not count.
 */
export function showsOwnOutput(tool: string, input: Json | undefined, cwd: string | null): boolean {
  const family = toolFamily(tool);
  if (!/^(?:command|read|search|web|other)$/.test(family)) return false;
  const command = family === 'command' || family === 'other' ? commandIn(input) : '';
  if (command !== '') return showsOwnInShell(command, cwd);
  // Of a tool that finds files by name, the pattern is a path.
  const keys = /glob|list|find/i.test(tool) ? /path|file|dir|folder|uri|pattern|glob/i : pathKeys;
  return textsIn(input, keys, 0).some((one) => isOwnFile(one, cwd) || isOwnPage(one));
}

const pathKeys = /path|file|dir|folder|ur[il]|^root$|^db$|database/i;
const commandKeys = ['command', 'cmd', 'command_line', 'CommandLine', 'script', 'chars', 'input'] as const;

function commandIn(input: Json | undefined): string {
  if (!isObject(input)) return typeof input === 'string' ? input : '';
  const given = commandKeys.map((key) => own(input, key));
  const line = given.find((one) => typeof one === 'string' || Array.isArray(one)) ?? '';
  return Array.isArray(line)
    ? line.map((word) => `'${String(word).replaceAll("'", "'\\''")}'`).join(' ')
    : String(line);
}

/** The values of arguments with such a name. */
function textsIn(value: Json | undefined, keys: RegExp, depth: number): string[] {
  if (typeof value === 'string') return depth > 0 ? [value] : [];
  if (depth > 3 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, keys, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) =>
    keys.test(key) ? textsIn(inner, keys, depth + 1) : [],
  );
}
