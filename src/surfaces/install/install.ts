import path from 'node:path';
import { type Environment, homeOf } from '../../core/workspace/index.ts';
import type { Assistant, Options, Part, Setup } from './assistant.ts';
import { put, take } from './change.ts';
import { type ConfigFile, readConfig, removeConfig, writeConfig } from './config-file.ts';
import type { Programs } from './programs.ts';
import { unifiedDiff } from './text/diff.ts';

export interface FileReport {
  readonly file: string;
  readonly action: 'created' | 'changed' | 'unchanged' | 'removed';
  /** Where the former text is kept. */
  readonly backup?: string;
}

/** A change that is thought out and not done. */
export interface Plan {
  readonly assistant: Assistant;
  readonly changes: readonly Change[];
}

interface Change {
  readonly config: ConfigFile;
  readonly after: string | null;
}

/** What would be written so that the assistant uses this memd. @throws Failure when a file cannot be understood: nothing is changed then */
export function planInstall(assistant: Assistant, setup: Setup): Plan {
  return planOf(assistant, assistant.parts(setup), put);
}

/**
 * What would be taken out: what any memd has written, whether it is still there or not. @throws Failure as above
 */
export function planUninstall(assistant: Assistant, env: Environment, programs: Programs): Plan {
  const parts = assistant.parts({ env, programs, options: noOptions });
  return planOf(assistant, [...parts].reverse(), take);
}

export const noOptions: Options = { guard: null, recall: false };

function planOf(
  assistant: Assistant,
  parts: readonly Part[],
  work: (part: Part, text: string | null) => string | null,
): Plan {
  const files = [...new Set(parts.map(({ file }) => file))];
  const changes = files.map((file) => {
    const config = readConfig(file);
    const own = parts.filter((part) => part.file === file);
    return { config, after: own.reduce((text, part) => work(part, text), config.text) };
  });
  return { assistant, changes };
}

/** Whether there is anything to do. */
export function isEmpty({ changes }: Plan): boolean {
  return changes.every(({ config, after }) => config.text === after);
}

/** The plan as a unified diff of each file. */
export function diffOf({ changes }: Plan): string {
  return changes
    .map(({ config, after }) => unifiedDiff(config.text, after, config.file))
    .filter((text) => text !== '')
    .join('\n');
}

/** What a plan would do, in the form of a report. */
export function preview({ changes }: Plan): FileReport[] {
  return changes.map(reportOf).filter((report) => report !== null);
}

/** Does what was planned, or nothing: when a file cannot be written, those before it are put back. @throws Failure that names it */
export function carryOut({ assistant, changes }: Plan, env: Environment): FileReport[] {
  // A folder that the user named stays, whoever made it.
  const home = homeOf(env);
  const folder = assistant.folder(env);
  const top = folder.startsWith(`${home}${path.sep}`) ? home : folder;
  const done: Change[] = [];
  try {
    return changes.flatMap((change) => {
      const report = reportOf(change);
      if (report === null || report.action === 'unchanged') return report === null ? [] : [report];
      const backup = write(change.config, change.after, top);
      done.push(change);
      return [{ ...report, ...(backup === null ? {} : { backup }) }];
    });
  } catch (error) {
    for (const { config, after } of done.reverse()) write({ ...config, text: after }, config.text, top);
    throw error;
  }
}

function write(config: ConfigFile, text: string | null, top: string): string | null {
  if (text !== null) return writeConfig(config, text);
  removeConfig(config, top);
  return null;
}

function reportOf({ config, after }: Change): FileReport | null {
  const action = actionOf(config.text, after);
  return action === null ? null : { file: config.file, action };
}

function actionOf(before: string | null, after: string | null): FileReport['action'] | null {
  if (before === after) return before === null ? null : 'unchanged';
  if (before === null) return 'created';
  return after === null ? 'removed' : 'changed';
}
