import { isDeepStrictEqual } from 'node:util';
import { pluginMark } from '#assistants/form';
import { Failure } from '#core/platform';
import { findHooks, putHooks, takeHooks } from './change-hooks.ts';
import { isOwnServer, serverName } from './hooks.ts';
import type { Part, ServerPart, TomlServerPart } from './part.ts';
import { JsonFile } from './text/json-file.ts';
import { putTable, tableIn, takeTable } from './text/toml.ts';

/** The text with the part in it; null is a missing file. */
export function put(part: Part, text: string | null): string | null {
  switch (part.kind) {
    case 'hooks':
      return putHooks(part, text);
    case 'server':
    case 'toml-server':
      return putServer(part, text);
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
      return takeTable(text, part);
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
    case 'toml-server':
      return isOwnServer(serverIn(part, text));
    case 'own-file':
      return isOwnFile(text);
  }
}

/** The entry with our server's name, which may not be ours. */
export function serverIn(part: ServerPart | TomlServerPart, text: string): unknown {
  if (part.kind === 'toml-server') return tableIn(text, part);
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  file.members(part.under);
  return file.value(part.under, serverName);
}

/** Keeps what the user or the client has added to our entry. */
function putServer(part: ServerPart | TomlServerPart, text: string | null): string | null {
  const there = text === null ? undefined : serverIn(part, text);
  if (there !== undefined && !isOwnServer(there))
    throw foreign(part.file, `has another server named "${serverName}"`);
  if (part.kind === 'toml-server') return putTable(text, part);
  const file = new JsonFile(text, part.file, part.isLooseAllowed);
  const wanted = { ...Object(there), ...part.value };
  if (there === undefined) file.put([part.under, serverName], part.value);
  else if (!isDeepStrictEqual(there, wanted)) file.replace([part.under, serverName], wanted);
  return file.text;
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
