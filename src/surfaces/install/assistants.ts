import fs from 'node:fs';
import path from 'node:path';
import type { Install } from '#assistants/form';
import { assistants as all } from '#assistants/table';
import type { ClientName } from '#core/event';
import { mentions } from './config-file.ts';
import { plannedHooks, serverName, serverWords } from './hooks.ts';
import type { Part, Setup } from './part.ts';

/** An assistant that memd can be installed in. */
export interface Assistant extends Install {
  readonly name: ClientName;
  readonly parts: (setup: Setup) => readonly Part[];
}

export const assistants: readonly Assistant[] = all.flatMap(({ name, install }) =>
  install === undefined
    ? []
    : [
        {
          ...install,
          name,
          parts: (setup) => [hooksPart(name, install, setup), ...serverPart(install, setup)],
        },
      ],
);

function hooksPart(
  name: ClientName,
  { folder, events, hooks, isLooseAllowed = false }: Install,
  setup: Setup,
): Part {
  const file = path.join(folder(setup.env), hooks.file);
  const planned = plannedHooks(name, events, setup);
  if ('text' in hooks)
    return { kind: 'own-file', file, text: hooks.text(planned, serverWords(setup.programs)) };
  const { hasVersion = false, value } = hooks;
  const values = planned.map((hook) => {
    const { event, isMessage = false } = hook;
    return { event, isMessage, value: value(hook) };
  });
  return { kind: 'hooks', file, isLooseAllowed, hooks: values, hasVersion };
}

function serverPart({ folder, server, isLooseAllowed = false }: Install, { env, programs }: Setup): Part[] {
  if (server === undefined) return [];
  const [command, ...args] = serverWords(programs);
  const { files, under = 'mcpServers' } = server;
  const file = usedFile(files.map((name) => path.join((server.folder ?? folder)(env), name)));
  const value = server.value(command, args);
  if (!file.endsWith('.toml')) return [{ kind: 'server', file, isLooseAllowed, under, value }];
  const lines = Object.entries(value).map(([key, one]) => `${key} = ${tomlOf(one)}`);
  const body = [`[${under}.${serverName}]`, ...lines].join('\n');
  return [{ kind: 'toml-server', file, table: [under, serverName], body }];
}

function tomlOf(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(tomlOf).join(', ')}]` : JSON.stringify(value);
}

/** Of the names that an assistant reads: the file that mentions memd, else the existing one, else the first. */
function usedFile(files: readonly string[]): string {
  const [first = ''] = files;
  if (files.length < 2) return first;
  return (
    files.find((file) => mentions(file, `"${serverName}"`)) ??
    files.find((file) => fs.existsSync(file)) ??
    first
  );
}

/** By name or alias, in any letter case. */
export function findAssistant(name: string): Assistant | null {
  const wanted = name.toLowerCase();
  return assistants.find((one) => one.name === wanted || one.aliases.includes(wanted)) ?? null;
}

export const assistantNames: readonly string[] = assistants.flatMap(({ name, aliases }) => [
  name,
  ...aliases,
]);
