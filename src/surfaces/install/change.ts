import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../../core/platform/index.ts';
import type { Part, ServerPart, TomlServerPart } from './assistant.ts';
import { pluginMark } from './assistants/opencode-plugin.ts';
import { findHooks, putHooks, takeHooks } from './change-hooks.ts';
import { isOwnServer, serverName } from './servers.ts';
import { JsonFile } from './text/json-file.ts';
import {
  checkOpen,
  findTables,
  type Marks,
  putBlock,
  type Table,
  takeBlock,
  updateTable,
} from './text/toml.ts';

/** What a part makes of a file's text; null is no file. Where all is as it should be, the text stays the same. */
export function put(part: Part, text: string | null): string | null {
  switch (part.kind) {
    case 'hooks':
      return putHooks(part, text);
    case 'server':
      return putServer(part, text);
    case 'toml-server':
      return putTomlServer(part, text);
    case 'own-file':
      if (text === null || isOwnFile(text)) return part.text;
      throw foreign(part.file, 'holds something else');
  }
}

/** The text without what is ours of that part; what is somebody else's stays. */
export function take(part: Part, text: string | null): string | null {
  if (text === null || !isIn(part, text)) return text;
  switch (part.kind) {
    case 'hooks':
      return takeHooks(part, text);
    case 'server': {
      const file = new JsonFile(text, part.file, part.isLooseAllowed);
      file.take([part.under, serverName]);
      return file.text;
    }
    case 'toml-server':
      return takeBlock(text, findTables(text, part.table, part.file), marks);
    case 'own-file':
      return null;
  }
}

/** Whether anything of ours is in the text. */
export function isIn(part: Part, text: string | null): boolean {
  if (text === null) return false;
  switch (part.kind) {
    case 'hooks':
      return findHooks(part, text).length > 0;
    case 'server':
      return isOwnServer(serverIn(part, text));
    case 'toml-server':
      return isOwnServer(tomlServerIn(part, text));
    case 'own-file':
      return isOwnFile(text);
  }
}

/** The entry with our server's name, ours or not; undefined when there is none. */
export function serverIn(part: ServerPart, text: string): unknown {
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  file.members(part.under);
  return file.value(part.under, serverName);
}

/** The entry as far as it tells what is run; undefined when there is none. */
export function tomlServerIn(part: TomlServerPart, text: string): unknown {
  const [main] = mainTable(part, text);
  if (main === undefined) return undefined;
  const command = /^\s*command\s*=\s*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')/m.exec(main.text)?.[1] ?? '""';
  // A path may have brackets in it.
  const args = /^\s*args\s*=\s*\[((?:[^\]"']|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')*)\]/m.exec(main.text)?.[1] ?? '';
  const words = [command, ...(args.match(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g) ?? [])].map(tomlText);
  return { command: words[0], args: words.slice(1) };
}

const marks: Marks = {
  begin: '# memd: begin (written by `memd install`, taken out by `memd uninstall`)',
  end: '# memd: end',
};

/** What the user has added to our entry stays: a client keeps its own settings of a server there. */
function putServer(part: ServerPart, text: string | null): string | null {
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  const there = text === null ? undefined : serverIn(part, text);
  if (there === undefined) file.put([part.under, serverName], part.value);
  else if (!isOwnServer(there)) throw foreign(part.file, `has another server named "${serverName}"`);
  else {
    const wanted = { ...(there as object), ...part.value };
    if (!isDeepStrictEqual(there, wanted)) file.replace([part.under, serverName], wanted);
  }
  return file.text;
}

function putTomlServer(part: TomlServerPart, text: string | null): string {
  const [main] = text === null ? [] : mainTable(part, text);
  if (text === null || main === undefined) {
    if (text !== null && findTables(text, part.table, part.file).length > 0)
      throw foreign(part.file, `speaks of ${part.table.join('.')} in another form`);
    if (text !== null) checkOpen(text, part.table, part.file);
    return putBlock(text, part.body, marks);
  }
  if (!isOwnServer(tomlServerIn(part, text)))
    throw foreign(part.file, `has another server named "${serverName}"`);
  const lines = main.text.split('\n').map((line) => line.trim());
  if (part.body.split('\n').every((line) => lines.includes(line))) return text;
  return updateTable(text, main, part.body, part.file);
}

/** The table itself, without its subtables. */
function mainTable(part: TomlServerPart, text: string): Table[] {
  return findTables(text, part.table, part.file).filter(({ name }) => name.length === part.table.length);
}

function tomlText(literal: string): string {
  if (literal.startsWith("'")) return literal.slice(1, -1);
  try {
    const text: unknown = JSON.parse(literal);
    return typeof text === 'string' ? text : '';
  } catch {
    // An escape that only TOML knows: nothing that we have written.
    return literal.slice(1, -1);
  }
}

function isOwnFile(text: string): boolean {
  return text.startsWith(pluginMark);
}

function foreign(file: string, what: string): Failure {
  return new Failure('foreign_config', `${file} ${what}`, {
    safe: 'nothing was changed',
    repair: 'rename that or take it out, then run this again',
  });
}
