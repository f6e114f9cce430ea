import path from 'node:path';
import type { PlannedCall } from '#assistants/form';
import { isObject, type Json, type JsonObject, parsedArguments, stringAt, toolFamily } from '#core/event';
import { type CwdCandidates, patchNames, plain, type Target, unread, withoutScheme } from '#guard/boundary';
import { applyPatchTargets } from './apply-patch.ts';
import {
  isElsewhere,
  isOutput,
  isPath,
  isWorkingFolder,
  kindOf,
  looksLikePath,
  type Purpose,
  purposeOf,
  wordsOf,
  writeVerbs,
} from './arguments.ts';
import { ends, type Name } from './moves.ts';
import { shellWrites } from './shell/run.ts';
import { asQuotedLine } from './shell/shells.ts';
import type { Setting } from './shell/state.ts';

type Call = Pick<PlannedCall, 'tool' | 'input'>;

/** What a call writes, by its tool's name and arguments; nothing for a tool that reads. */
export function callWrites({ tool, input: given }: Call, setting: Setting, depth = 0): readonly Target[] {
  // No known client sends a list.
  const input = isObject(given) ? given : Array.isArray(given) ? { list: given } : {};
  const name = ownName(tool);
  const family = toolFamily(name);
  if (family !== 'command' && family !== 'edit' && family !== 'other') return [];
  const purpose = purposeOf(name);
  const isShell = family === 'command' || purpose.isShell;
  const at = foldersOf(input, setting, isShell);
  if (depth > nestingMax) return written([anywhere], at);
  if (family === 'command') return commandWrites(given, setting, at, true);
  const isRemote = isElsewhere(tool, Object.keys(input));
  if (family === 'edit' && !(isRemote && name !== tool)) {
    // One tool reads and edits: its `command` argument decides.
    if (stringAt(input, 'command') === 'view') return [];
    return [...patchWrites(given, at), ...written(namesIn(input, { ...everything, isFile: true }, 0), at)];
  }
  const asked = askedOf(purpose, input, isRemote);
  const args = withoutSources(input, purpose);
  return [
    ...callsIn(input, 0).flatMap((call) =>
      callWrites(call, { ...setting, cwd: at.from[0] ?? setting.cwd }, depth + 1),
    ),
    ...commandWrites(given, setting, at, isShell),
    ...(asked.which === 'any' ? patchWrites(given, at) : []),
    ...written(namesIn(args, asked, 0), at),
    ...(isRemote ? [] : written(ends(args, input, purpose), at)),
  ];
}

/** An MCP tool's own name: `mcp__files__write_file`, `mcp_files_write_file`, `files-write_file`. */
function ownName(tool: string): string {
  const at = tool.lastIndexOf('__');
  return at > 0 ? tool.slice(at + 2) : tool;
}

/** Calls of other tools in the arguments: `{tool_name: "write_file", arguments: {...}}`. */
function callsIn(value: Json, depth: number): readonly Call[] {
  if (typeof value !== 'object' || value === null || depth > nestingMax) return [];
  if (Array.isArray(value)) return value.flatMap((one) => callsIn(one, depth + 1));
  const text = (pattern: RegExp): string | undefined =>
    Object.entries(value).flatMap(([key, one]) =>
      typeof one === 'string' && pattern.test(wordsOf(key).join('')) ? [one] : [],
    )[0];
  const tool = text(/^(?:tool|mcptool|recipient|function)name$|^(?:tool|function)$/) ?? text(/^name$/);
  const server = text(/^(?:server|mcpserver)(?:name)?$/);
  const calls = Object.entries(value).flatMap(([key, one]): readonly Call[] => {
    const isInput = /^(?:tool)?(?:arguments|args|params|parameters|input|payload)$/.test(
      wordsOf(key).join(''),
    );
    const input = isInput ? parsedArguments(one) : one;
    if (tool === undefined || !isInput || typeof input !== 'object') return callsIn(input ?? null, depth + 1);
    return [{ tool: server === undefined ? tool : `mcp__${server}__${tool}`, input }];
  });
  return calls;
}

/** Which arguments count. */
interface Asked {
  /** Every path, or only those that a reading tool would write as well. */
  readonly which: 'any' | 'output';
  /** `name` is a file's. */
  readonly isFile?: boolean;
  /** The steps in it are on another store than this disk. */
  readonly isRemote?: boolean;
}

const everything: Asked = { which: 'any' };

function askedOf(purpose: Purpose, input: JsonObject, isRemote: boolean): Asked {
  const { words, isReader } = purpose;
  if (isRemote) {
    const isBrought = words.some((word) => /^(?:download|clone|checkout|export)$/.test(word));
    return { which: isBrought ? 'any' : 'output', isRemote };
  }
  const isStep = !isReader && isWriting(input, ['op', 'operation', 'action', 'command', 'subcommand']);
  const isFile = words.some((word) => /^(?:file|files|folder|directory|dir|notebook)$/.test(word));
  return { which: purpose.isWriter || isStep ? 'any' : 'output', isFile: isFile && !isReader };
}

/** What is copied or converted is only read. */
function withoutSources(input: JsonObject, { words }: Purpose): JsonObject {
  const keys = Object.keys(input);
  const isTaken = words.some((word) => /^(?:copy|cp)$/.test(word));
  const isMade =
    words.some((word) =>
      /^(?:convert|export|extract|unzip|decompress|transform|render|generate)$/.test(word),
    ) && keys.some((key) => isOutput(key) && kindOf(key) !== 'content');
  if (!isTaken && !isMade) return input;
  return Object.fromEntries(
    Object.entries(input).filter(([key]) => !/^(?:source|src|from|input|template)/i.test(key)),
  );
}

/** One call of many: `{op: "write", path: "a"}`. */
function isWriting(step: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => wordsOf(stringAt(step, key) ?? '').some((word) => writeVerbs.has(word)));
}

const anywhere: Name = { text: unread.any, isSure: true };
const nestingMax = 100;

/** The paths in an argument's value: in lists of edits, in steps, in lists that are sent as a text. */
function namesIn(value: Json, asked: Asked, depth: number): readonly Name[] {
  if (depth > nestingMax) return [anywhere];
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, asked, depth + 1));
  if (!isObject(value)) return [];
  const steps = ['op', 'operation', 'action', 'method', 'tool', 'kind', 'type'];
  const isStep = depth > 0 && asked.isRemote !== true && isWriting(value, steps);
  const here: Asked = isStep ? { ...asked, which: 'any' } : asked;
  return Object.entries(value).flatMap(([key, inner]) => namesAt(key, inner, here, depth + 1));
}

function namesAt(key: string, given: Json, asked: Asked, depth: number): readonly Name[] {
  const kind = asked.isFile === true && /^(?:file)?name$/i.test(key) ? 'path' : kindOf(key);
  const value = kind === 'content' ? given : parsedArguments(given);
  const isAsked = asked.which === 'any' || (isOutput(key) && (asked.isRemote !== true || kind === 'path'));
  if ((kind !== 'path' && kind !== 'place') || !isAsked) return namesIn(value, asked, depth);
  const within: Asked = { ...everything, isFile: kind === 'path' };
  const named = (one: Json): readonly Name[] =>
    typeof one === 'string' ? nameOf(key, kind, one) : namesIn(one, within, depth);
  if (Array.isArray(value)) return value.flatMap(named);
  // `{files: {"a.ts": "text"}}`
  const files = isObject(value) ? Object.keys(value).filter((one) => /[./]/.test(one) && isPath(one)) : [];
  return [...files.map((text) => ({ text, isSure: true })), ...named(value)];
}

const isOfWeb = /^(?:https?|wss?|ftps?|git|ssh|s3|gs):/i;

function nameOf(key: string, kind: 'path' | 'place', text: string): readonly Name[] {
  if (!isPath(text) && (kind === 'place' || isOfWeb.test(text))) return [];
  const isSure = kind === 'path' || looksLikePath(text);
  return isSure || isOutput(key) ? [{ text, isSure }] : [];
}

function written(names: readonly Name[], at: CwdCandidates): Target[] {
  const all = new Map(names.flatMap(({ text, isSure }) => spellings(text).map((one) => [one, isSure])));
  return [...all].map(([name, isSure]) => ({
    ...{ kind: 'path', effect: 'write', piece: plain(name), at },
    ...(isSure ? {} : { onlyIfThere: true }),
  }));
}

/** A path, and what a tool or a file system may make of it: without blanks at its ends, what cannot be seen, or all from a NUL on. */
function spellings(name: string): string[] {
  const seen = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim();
  const bare = seen.replace(/(?<=[^./\s])[. ]+(?=\/|$)/g, '');
  return [name, name.trim(), name.split('\0', 1)[0] ?? '', seen, bare].filter((one) => one !== '');
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
    if (line[0] === 'apply_patch') return applyPatchTargets(line[1] ?? '', at);
    const text = typeof line === 'string' ? line : asQuotedLine(line.map(plain));
    return at.from.flatMap((cwd) => shellWrites(text, { ...setting, cwd }));
  });
}

const shellKeys = /^(?:input|inputs|args|argv|arguments|chars|script|line|program|executable)$/;

/** One line or one list of words for each argument that holds one. */
function linesIn(value: Json, isShell: boolean, depth: number): (string | string[])[] {
  if (depth > nestingMax || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => linesIn(one, isShell, depth + 1));
  const entries = Object.entries(value);
  const isHeld = (key: string): boolean =>
    kindOf(key) === 'command' || (isShell && shellKeys.test(wordsOf(key).join('')));
  const lines = entries
    .filter(([key]) => isHeld(key))
    .flatMap(([, given]): (string | string[])[] => {
      const inner = parsedArguments(given);
      if (typeof inner === 'string') return [inner];
      if (!Array.isArray(inner)) return linesIn(inner, isShell, depth + 1);
      const words = inner.filter((word): word is string => typeof word === 'string');
      // A list holds the words of one command, or one command each.
      return [words, ...words.filter((word) => /\s/.test(word)), ...linesIn(inner, isShell, depth + 1)];
    });
  const others = entries.filter(([key]) => !isHeld(key));
  return [
    ...lines,
    ...programWithWords(lines),
    ...others.flatMap(([, one]) => linesIn(one, isShell, depth + 1)),
  ];
}

/** `{command: "rm", args: ["a"]}` */
function programWithWords(lines: readonly (string | string[])[]): string[][] {
  const programs = lines.filter((line) => typeof line === 'string' && !/\s/.test(line)).map(String);
  const lists = lines.filter((line) => Array.isArray(line));
  return programs.flatMap((program) => lists.map((words) => [program, ...words]));
}

/** The working directory in the arguments, if any. That of a project may be only a hint: then both count. */
function foldersOf(input: JsonObject, setting: Setting, isShell: boolean): CwdCandidates {
  const found = workingFolders(input, isShell, 0).map(([key, text]) => {
    const name = withoutScheme(text);
    const folder = path.resolve(setting.cwd, name.replace(/^~(?=\/|$)/, setting.home));
    return { folder, isSure: isShell || /cwd|work(?!space)|current/i.test(key) };
  });
  const own = found.some(({ isSure }) => isSure) ? [] : [setting.cwd];
  const from = [...new Set([...found.map(({ folder }) => folder), ...own])];
  return { from, isDoubtful: from.length > 1 };
}

function workingFolders(value: Json, isShell: boolean, depth: number): readonly [string, string][] {
  if (!isObject(value) || depth > nestingMax) return [];
  return Object.entries(value).flatMap(([key, one]): readonly [string, string][] => {
    if (typeof one !== 'string') return workingFolders(one, isShell, depth + 1);
    return one !== '' && isWorkingFolder(key, isShell && depth === 0) ? [[key, one]] : [];
  });
}
