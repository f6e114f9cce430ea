import path from 'node:path';
import { patchNames, plain, type Standing, type Target } from '../boundary/index.ts';
import { isObject, type Json, type JsonObject, own, stringAt, toolFamily } from '../event/index.ts';
import { applyPatchTargets } from './apply-patch.ts';
import type { PlannedCall } from './call.ts';
import { shellWrites } from './shell/run.ts';
import type { Setting } from './shell/state.ts';

/** What a call would write, by its tool's name and arguments; nothing for a tool that reads. */
export function callWrites(call: PlannedCall, setting: Setting): readonly Target[] {
  // No client is known to send a list; one that does is not let past.
  const input = isObject(call.input) ? call.input : Array.isArray(call.input) ? { list: call.input } : {};
  const name = ownName(call.tool);
  const kind = kindOf(name, input);
  const cwd = folderOf(input, setting.cwd, kind);
  const at: Standing = { from: [cwd], isDoubtful: false };
  switch (kind) {
    case 'command':
      return commandWrites(call.input, { ...setting, cwd }, at);
    case 'edit':
      return [...patchWrites(call.input, at), ...namedWrites(name, input, at)];
    case 'none':
      return [];
  }
}

/** A server's tool by its own name: `mcp__files__write_file`, `mcp_files_write_file`, `files-write_file`. */
function ownName(tool: string): string {
  const at = tool.lastIndexOf('__');
  return at > 0 ? tool.slice(at + 2) : tool;
}

type Kind = 'command' | 'edit' | 'none';

function kindOf(name: string, input: JsonObject): Kind {
  const family = toolFamily(name);
  if (family === 'command') return 'command';
  // One tool for reading and editing: its own command tells.
  if (stringAt(input, 'command') === 'view' && family === 'edit') return 'none';
  if (family === 'edit') return 'edit';
  if (family !== 'other') return 'none';
  // A forge's own files are no files here.
  if ('owner' in input && 'repo' in input) return 'none';
  const verbs = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  if (verbs.some((verb) => commandVerbs.has(verb)) && commandOf(input) !== null) return 'command';
  return verbs.some((verb) => writeVerbs.has(verb)) ? 'edit' : 'none';
}

const writeVerbs = new Set(
  `write edit create update delete remove move rename append insert replace patch save copy mkdir make modify apply
  truncate touch overwrite download put set unlink rm mv cp strreplace tabwrite`.split(/\s+/),
);
const commandVerbs = new Set('shell bash exec execute run command terminal cmd process script'.split(' '));

/** Arguments that name what is written, under every client's and server's usual name for it. */
const pathKeys = new Set(
  `file_path filepath path paths notebook_path notebookpath file files filename file_name target_file targetfile
  absolute_path absolutepath relative_path relativepath relative_workspace_path uri destination dest destination_path
  new_path newpath old_path source source_path output_path outputpath save_path directory`.split(/\s+/),
);

function namedWrites(name: string, input: JsonObject, at: Standing): Target[] {
  // What is copied is only read.
  const told = /copy|\bcp\b/i.test(name) ? withoutSources(input) : input;
  return namesIn(told, 0).map((path) => ({ kind: 'path', effect: 'write', piece: plain(path), at }));
}

function withoutSources(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !/^(?:source|src|from)/i.test(key)));
}

/** Lists of edits name a file each; deeper than that no tool is known to go. */
function namesIn(value: Json, depth: number): string[] {
  if (depth > nestingMax) return [];
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, depth + 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!pathKeys.has(key.toLowerCase().replaceAll('-', '_'))) {
      return typeof inner === 'object' ? namesIn(inner, depth + 1) : [];
    }
    if (typeof inner === 'string') return isPath(inner) ? [inner] : [];
    if (!Array.isArray(inner)) return namesIn(inner, depth + 1);
    return inner.flatMap((one: Json) =>
      typeof one !== 'string' ? namesIn(one, depth + 1) : isPath(one) ? [one] : [],
    );
  });
}

const nestingMax = 4;

/** An address of another place than this disk is none. */
function isPath(text: string): boolean {
  return text !== '' && (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || /^file:/i.test(text));
}

/** A patch in Codex's format or a unified one, wherever the arguments hold it. */
function patchWrites(input: Json, at: Standing): Target[] {
  const texts =
    typeof input === 'string' ? [input] : isObject(input) ? patchKeys.map((key) => stringAt(input, key)) : [];
  return texts.flatMap((text): Target[] => {
    if (text === undefined) return [];
    const own = applyPatchTargets(text, at);
    if (own.length > 0 || !/^(?:---|\+\+\+|diff --git) /m.test(text)) return [...own];
    const names = [...new Set([...patchNames(text, 0), ...patchNames(text, 1)])];
    const strips = /^\+\+\+ b\//m.test(text) ? patchNames(text, 1) : names;
    return strips.map((name) => ({ kind: 'path', effect: 'write', piece: plain(name), at }));
  });
}

const patchKeys = ['command', 'input', 'patch', 'patchText', 'patch_text', 'diff', 'content_patch'];

/** A command line, or a list of words as Codex's `shell` takes it: `["bash", "-lc", "..."]`. */
function commandWrites(input: Json, setting: Setting, at: Standing): readonly Target[] {
  const command = typeof input === 'string' ? input : isObject(input) ? commandOf(input) : null;
  if (command === null) return [];
  if (typeof command === 'string') return [...shellWrites(command, setting)];
  const words = command.filter((word): word is string => typeof word === 'string');
  if (words[0] === 'apply_patch') return applyPatchTargets(words[1] ?? '', at);
  return shellWrites(words.map(quoted).join(' '), setting);
}

function commandOf(input: JsonObject): string | readonly Json[] | null {
  for (const key of ['command', 'cmd', 'commandLine', 'command_line', 'CommandLine']) {
    const value = own(input, key);
    if (typeof value === 'string' || Array.isArray(value)) return value;
  }
  return null;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Where the tool is told to work, when it is. */
function folderOf(input: JsonObject, cwd: string, kind: Kind): string {
  const keys = [
    'cwd',
    'workdir',
    'working_directory',
    'dir_path',
    'Cwd',
    ...(kind === 'command' ? ['directory'] : []),
  ];
  for (const key of keys) {
    const told = stringAt(input, key);
    if (told !== undefined && told !== '') return path.resolve(cwd, told);
  }
  return cwd;
}
