import { isDeepStrictEqual } from 'node:util';
import { pluginMark } from '../../assistants/form/index.ts';
import { Failure } from '../../core/platform/index.ts';
import { findHooks, putHooks, takeHooks } from './change-hooks.ts';
import type { Part, ServerPart, TomlServerPart } from './part.ts';
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

/** The text with the part in it; null is a missing file. */
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
      throw foreign(part.file, 'has other content');
  }
}

/** The text without our part; other content stays. */
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

/** Whether the text has anything of the part. */
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

/** The entry with our server's name, which may not be ours. */
export function serverIn(part: ServerPart, text: string): unknown {
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  file.members(part.under);
  return file.value(part.under, serverName);
}

/** What the entry with our server's name runs. */
export function tomlServerIn(part: TomlServerPart, text: string): unknown {
  const [main] = mainTable(part, text);
  if (main === undefined) return undefined;
  const command = /^\s*command\s*=\s*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')/m.exec(main.text)?.[1] ?? '""';
  // A path may contain brackets.
  const args = /^\s*args\s*=\s*\[((?:[^\]"']|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')*)\]/m.exec(main.text)?.[1] ?? '';
  const words = [command, ...(args.match(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g) ?? [])].map(tomlText);
  return { command: words[0], args: words.slice(1) };
}

const marks: Marks = {
  begin: '# memd: begin (written by `memd install`, taken out by `memd uninstall`)',
  end: '# memd: end',
};

/** Keeps what the user or the client has added to our entry. */
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
      throw foreign(part.file, `defines ${part.table.join('.')} in another form`);
    if (text !== null) checkOpen(text, part.table, part.file);
    return putBlock(text, part.body, marks);
  }
  if (!isOwnServer(tomlServerIn(part, text)))
    throw foreign(part.file, `has another server named "${serverName}"`);
  const lines = main.text.split('\n').map((line) => line.trim());
  if (part.body.split('\n').every((line) => lines.includes(line))) return text;
  return updateTable(text, main, part.body, part.file);
}

/** Without its subtables. */
function mainTable(part: TomlServerPart, text: string): Table[] {
  return findTables(text, part.table, part.file).filter(({ name }) => name.length === part.table.length);
}

function tomlText(literal: string): string {
  if (literal.startsWith("'")) return literal.slice(1, -1);
  try {
    const text: unknown = JSON.parse(literal);
    return typeof text === 'string' ? text : '';
  } catch {
    // An escape that JSON does not have: memd did not write it.
    return literal.slice(1, -1);
  }
}

function isOwnFile(text: string): boolean {
  return text.startsWith(pluginMark);
}

function foreign(file: string, what: string): Failure {
  return new Failure('foreign_config', `${file} ${what}`, {
    safe: 'nothing was changed',
    repair: 'rename or remove that, then run it again',
  });
}
