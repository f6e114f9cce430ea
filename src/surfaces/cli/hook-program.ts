import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The hook programs, by their names and by their events. */
const programs: Readonly<Record<string, string>> = {
  'capture-observation': 'capture-observation',
  'post-tool-use': 'capture-observation',
  boundary: 'boundary',
  'pre-tool-use': 'boundary',
  guard: 'guard',
  recall: 'recall',
  'session-start': 'session-start',
  'session-pause': 'session-pause',
  'session-end': 'session-pause',
};

export const hookNames: readonly string[] = Object.keys(programs);

/** Whether the words after `memd` call a hook, which parses its own options. */
export function isHookCall([command, name = '']: readonly string[]): boolean {
  return command === 'hook' && Object.hasOwn(programs, name);
}

/** Runs a hook in this process: it reads stdin and ends the process. */
export function loadHook([name = '', ...options]: readonly string[]): void {
  const file = fileURLToPath(new URL(`./${programs[name]}.cjs`, import.meta.url));
  process.argv = [process.execPath, file, ...options];
  createRequire(import.meta.url)(file);
}
