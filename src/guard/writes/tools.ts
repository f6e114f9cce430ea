import path from 'node:path';
import { isObject, type Json, type JsonObject, stringAt, toolFamily } from '../../core/event/index.ts';
import { type CwdCandidates, patchNames, plain, type Target } from '../boundary/index.ts';
import { applyPatchTargets } from './apply-patch.ts';
import type { PlannedCall } from './call.ts';
import { shellWrites } from './shell/run.ts';
import type { Setting } from './shell/state.ts';

/** What a call writes, by its tool's name and arguments; nothing for a tool that reads. */
export function callWrites(call: PlannedCall, setting: Setting): readonly Target[] {
  // No known client sends a list.
  const input = isObject(call.input) ? call.input : Array.isArray(call.input) ? { list: call.input } : {};
  const name = ownName(call.tool);
  const family = toolFamily(name);
  const cwd = folderOf(input, setting.cwd, family);
  const at: CwdCandidates = { from: [cwd], isDoubtful: false };
  if (family === 'command') return commandWrites(call.input, { ...setting, cwd }, at, true);
  if (family === 'edit') {
    // One tool reads and edits: its `command` argument decides.
    if (stringAt(input, 'command') === 'view') return [];
    return [...patchWrites(call.input, at), ...namedWrites(input, at, 'any')];
  }
  if (family !== 'other' || isElsewhere(input)) return [];
  const verbs = wordsOf(name);
  const isShell = verbs.some((verb) => shellVerbs.has(verb));
  const isWriter = verbs.some((verb) => writeVerbs.has(verb));
  // What is copied is only read.
  const args = verbs.some((verb) => verb === 'copy' || verb === 'cp') ? withoutSources(input) : input;
  const moved = verbs.some((verb) => moveVerbs.test(verb)) ? ends(args) : [];
  return [
    ...commandWrites(call.input, { ...setting, cwd }, at, isShell),
    ...(isWriter ? patchWrites(call.input, at) : []),
    ...namedWrites(args, at, isWriter ? 'any' : 'output'),
    ...written(moved, at),
  ];
}

/** The files of a code host and the documents of a database are not on this disk. */
function isElsewhere(input: JsonObject): boolean {
  return ('owner' in input && 'repo' in input) || 'project_id' in input || 'collection' in input;
}

/** An MCP tool's own name: `mcp__files__write_file`, `mcp_files_write_file`, `files-write_file`. */
function ownName(tool: string): string {
  const at = tool.lastIndexOf('__');
  return at > 0 ? tool.slice(at + 2) : tool;
}

/** The words of a name in camelCase, snake_case or kebab-case. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

const writeVerbs = new Set(
  `write edit create update delete remove move rename append insert replace patch save copy mkdir make modify apply
  truncate touch overwrite download put set unlink rm mv cp strreplace tabwrite export dump store screenshot pdf record
  prepend add generate restore revert reset format fix refactor inline extract unzip decompress clear clean erase wipe
  purge trash destroy drop link symlink chmod chown upsert change alter convert transform scaffold rotate persist`.split(
    /\s+/,
  ),
);
const shellVerbs = new Set(
  'shell bash sh zsh exec execute run command commands terminal cmd process script console stdin'.split(' '),
);

/** Words in the name of an argument that is a path. */
const pathWords = new Set(
  `path paths filepath filepaths file files filename filenames pathname notebook uri uris directory directories dir folder
  folders destination dest targetfile output outfile outdir
  notebookpath absolutepath relativepath newpath oldpath savepath outputpath`.split(/\s+/),
);
/** Words in the name of an argument that is a path, a name or a text: its value decides. */
const doubtfulWords = new Set('target document documents location source src'.split(' '));
/** Arguments that hold what is written into a cell, and a symbol within a file. */
const contentKeys = /^(?:(?:new|old|cell|raw)sources?|namepath)$/;
/** Words in the name of an argument that describes a path. */
const otherWords = new Set(
  `content contents text type types mode size encoding format pattern regex id ids hash count max min limit line lines
  extension body data description language offset start end kind schema url branch ref commit options`.split(
    /\s+/,
  ),
);
/** Words in the name of an argument that is an output path, for any tool. */
const outputWords = /^(?:out|output|save|dest|destination|outfile|outdir|outputpath|savepath)$/;

/** The paths among the arguments: all of them for a tool that writes, else its output paths. */
function namedWrites(input: JsonObject, at: CwdCandidates, which: 'any' | 'output'): Target[] {
  return written(namesIn(input, which, 0), at);
}

function written(names: readonly string[], at: CwdCandidates): Target[] {
  const all = new Set(names.flatMap(spellings));
  return [...all].map((name) => ({ kind: 'path', effect: 'write', piece: plain(name), at }));
}

/** A path, and what a tool or a file system may make of it: without blanks at its ends, what cannot be seen, or all from a NUL on. */
function spellings(name: string): string[] {
  const seen = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim();
  const bare = seen.replace(/(?<=[^./\s])[. ]+(?=\/|$)/g, '');
  return [name, name.trim(), name.split('\0', 1)[0] ?? '', seen, bare].filter((one) => one !== '');
}

function withoutSources(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !/^(?:source|src|from)/i.test(key)));
}

const moveVerbs = /^(?:copy|cp|move|mv|rename|link|symlink)$/;

/** What a tool moves, and where to. */
function ends(input: JsonObject): string[] {
  return ['from', 'to', 'source', 'src', 'target'].map((key) => stringAt(input, key) ?? '').filter(isPath);
}

/** One call of many: `{op: "write", path: "a"}`. */
function isWriting(step: JsonObject): boolean {
  const args = ['op', 'operation', 'action', 'method', 'tool', 'kind', 'type'];
  return args.some((key) => wordsOf(stringAt(step, key) ?? '').some((word) => writeVerbs.has(word)));
}

/** Lists of edits name a file each; no known tool nests deeper. */
function namesIn(value: Json, asked: 'any' | 'output', depth: number): string[] {
  if (depth > nestingMax) return [];
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, asked, depth + 1));
  if (!isObject(value)) return [];
  const which = depth > 0 && isWriting(value) ? 'any' : asked;
  return Object.entries(value).flatMap(([key, inner]) => {
    const mayBe = pathTest(key, which);
    if (mayBe === null) return typeof inner === 'object' ? namesIn(inner, which, depth + 1) : [];
    if (typeof inner === 'string') return mayBe(inner) ? [inner] : [];
    // `{files: {"a.ts": "text"}}`
    if (isObject(inner))
      return [...Object.keys(inner).filter(isFileName), ...namesIn(inner, which, depth + 1)];
    if (!Array.isArray(inner)) return [];
    return inner.flatMap((one: Json) =>
      typeof one !== 'string' ? namesIn(one, which, depth + 1) : mayBe(one) ? [one] : [],
    );
  });
}

const nestingMax = 4;

function isFileName(key: string): boolean {
  return /[./]/.test(key) && isPath(key);
}

/** Which values of an argument are paths; null for one that holds something else. */
function pathTest(key: string, which: 'any' | 'output'): ((text: string) => boolean) | null {
  const words = wordsOf(key);
  if (words.some((word) => otherWords.has(word)) || contentKeys.test(words.join(''))) return null;
  if (which === 'output' && !words.some((word) => outputWords.test(word))) return null;
  if (words.some((word) => pathWords.has(word))) return isPath;
  return words.some((word) => doubtfulWords.has(word)) ? looksLikePath : null;
}

/** Not a URL of another place. A name may hold a line end. */
function isPath(text: string): boolean {
  return text !== '' && (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || /^file:/i.test(text));
}

/** In one line, with a folder or an extension. */
function looksLikePath(text: string): boolean {
  return isPath(text) && /^[^\n(){};]*$/.test(text) && /[/\\~]|^\.|\.\w{1,8}$/.test(text);
}

/** A patch in Codex's format or a unified one, in any argument that may hold one. */
function patchWrites(input: Json, at: CwdCandidates): Target[] {
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

/**
 * The command lines in the arguments, at any depth: a text, or a list of words as for Codex's `shell`. `isShell`: the tool's
 * name means that it runs what it is given, so more argument names count.
 */
function commandWrites(
  input: Json,
  setting: Setting,
  at: CwdCandidates,
  isShell: boolean,
): readonly Target[] {
  const lines = typeof input === 'string' ? [input] : linesIn(input, isShell, 0);
  return lines.flatMap((line) => {
    if (typeof line === 'string') return shellWrites(line, setting);
    if (line[0] === 'apply_patch') return applyPatchTargets(line[1] ?? '', at);
    return shellWrites(line.map(quoted).join(' '), setting);
  });
}

const commandKeys = /^(?:command|commands|cmd|cmds|commandline)$/;
const shellKeys = /^(?:input|inputs|args|argv|arguments|chars|script|line|program|executable)$/;

/** One line or one list of words for each argument that holds one. */
function linesIn(value: Json, isShell: boolean, depth: number): (string | string[])[] {
  if (depth > nestingMax || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => linesIn(one, isShell, depth + 1));
  if (!isObject(value)) return [];
  const entries = Object.entries(value).map(([key, inner]) => ({ key: wordsOf(key).join(''), inner }));
  const held = entries.filter(({ key }) => commandKeys.test(key) || (isShell && shellKeys.test(key)));
  const lines = held.flatMap(({ inner }): (string | string[])[] => {
    if (typeof inner === 'string') return [inner];
    if (!Array.isArray(inner)) return linesIn(inner, isShell, depth + 1);
    const words = inner.filter((word): word is string => typeof word === 'string');
    // A list holds the words of one command, or one command each.
    return [words, ...words.filter((word) => /\s/.test(word)), ...linesIn(inner, isShell, depth + 1)];
  });
  const others = entries.filter((entry) => !held.includes(entry));
  const inner = others.flatMap((entry) => linesIn(entry.inner, isShell, depth + 1));
  return [...lines, ...programWithWords(lines), ...inner];
}

/** `{command: "rm", args: ["a"]}` */
function programWithWords(lines: readonly (string | string[])[]): string[][] {
  const programs = lines.filter((line) => typeof line === 'string' && !/\s/.test(line)).map(String);
  const lists = lines.filter((line) => Array.isArray(line));
  return programs.flatMap((program) => lists.map((words) => [program, ...words]));
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The working directory in the arguments, if any. */
function folderOf(input: JsonObject, cwd: string, family: string): string {
  const keys = [
    'cwd',
    'workdir',
    'working_directory',
    'dir_path',
    'Cwd',
    ...(family === 'command' ? ['directory'] : []),
  ];
  for (const key of keys) {
    const args = stringAt(input, key);
    if (args !== undefined && args !== '') return path.resolve(cwd, args);
  }
  return cwd;
}
