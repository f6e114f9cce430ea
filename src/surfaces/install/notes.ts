import path from 'node:path';
import type { Environment } from '../../core/workspace/index.ts';
import type { Assistant } from './assistant.ts';
import { readConfig } from './config-file.ts';
import type { Programs } from './programs.ts';
import { assistantState } from './state.ts';
import { JsonFile } from './text/json-file.ts';

/** What a user must know about an assistant that has just been installed. */
export function notesFor(assistant: Assistant, env: Environment, programs: Programs): string[] {
  const { isFound } = assistantState(assistant, env, programs);
  return [
    ...(isFound ? [] : [`${assistant.title} was not found on this machine; it will find this when it comes`]),
    ...(pluginOf(assistant, env)?.isOn === true
      ? [
          "memd's plugin is enabled in Claude Code as well: every call is handed over twice, which is harmless and needless; keep one of them",
        ]
      : []),
    ...(/\/_npx\//.test(programs.dist)
      ? [
          `memd runs from npx's cache (${programs.dist}), which npm may empty: install it for good, then run this again`,
        ]
      : []),
    ...(env.MEMD_NS ? [`MEMD_NS is not written down: set it wherever ${assistant.title} is started`] : []),
    ...assistant.notes,
  ];
}

/** The plugin's name in Claude Code, which brings the same hooks, whether it is enabled or not; null without it. */
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
