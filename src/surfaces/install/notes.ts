import path from 'node:path';
import type { Environment } from '#core/workspace';
import type { Assistant } from './assistants.ts';
import { readConfig } from './config-file.ts';
import type { Programs } from './programs.ts';
import { assistantState } from './state.ts';
import { JsonFile } from './text/json-file.ts';

/** What a user must know after an installation. */
export function notesFor(assistant: Assistant, env: Environment, programs: Programs): string[] {
  const { isFound } = assistantState(assistant, env, programs);
  return [
    ...(isFound
      ? []
      : [`${assistant.title} was not found on this machine; it will use memd once it is installed`]),
    ...(pluginOf(assistant, env)?.isOn === true
      ? [
          "memd's plugin is also enabled in Claude Code, so each hook runs twice (calls are stored once); keep one of them",
        ]
      : []),
    ...(/\/_npx\//.test(programs.dist)
      ? [
          `memd runs from the cache of npx (${programs.dist}), which npm may delete. Run \`npm install -g memdaemon\`, then run this again.`,
        ]
      : []),
    ...(env.MEMD_NS
      ? [`MEMD_NS is not stored in the settings: set it also where you start ${assistant.title}`]
      : []),
    ...assistant.notes,
  ];
}

/** memd's plugin in Claude Code, which has the same hooks; null if it is not installed. */
export function pluginOf(assistant: Assistant, env: Environment): { name: string; isOn: boolean } | null {
  if (assistant.name !== 'claude-code') return null;
  const file = path.join(assistant.folder(env), 'settings.json');
  const settings = new JsonFile(readConfig(file).text, file, true);
  const plugins = settings.value('enabledPlugins');
  if (typeof plugins !== 'object' || plugins === null) return null;
  const found = Object.entries(plugins).filter(([name]) => /^memd(?:@|$)/.test(name));
  const [name, isOn] = found.find(([, on]) => on === true) ?? found[0] ?? [];
  return name === undefined ? null : { name, isOn: isOn === true };
}
