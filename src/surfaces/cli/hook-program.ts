import { createRequire } from 'node:module';

/** The programs of the hooks, by their own names and by the events that they are for. */
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

/** What `memd hook` takes. */
export const hookNames: readonly string[] = Object.keys(programs);

/** Whether the words after `memd` are a call of a hook, which reads its own options. */
export function isHookCall([command, name = '']: readonly string[]): boolean {
  return command === 'hook' && Object.hasOwn(programs, name);
}

/**
 * Runs a hook in this process, as if it had been called by its file: it reads standard input and ends the process. `words` are
 * its name and its own options.
 */
export function loadHook([name = '', ...options]: readonly string[]): void {
  const file = `./${programs[name]}.cjs`;
  process.argv = [process.execPath, file, ...options];
  createRequire(import.meta.url)(file);
}
