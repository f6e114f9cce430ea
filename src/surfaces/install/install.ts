import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '#core/platform';
import { type Environment, homeOf } from '#core/workspace';
import { counted } from '#reading/text';
import type { Assistant } from './assistants.ts';
import { put, take } from './change.ts';
import { backupsOf, type ConfigFile, readConfig, removeConfig, writeConfig } from './config-file.ts';
import type { Options, Part, Setup } from './part.ts';
import type { Programs } from './programs.ts';
import { unifiedDiff } from './text/diff.ts';

export interface FileReport {
  readonly file: string;
  readonly action: 'created' | 'changed' | 'unchanged' | 'removed';
  readonly backup?: string;
}

/** Changes that are not made yet. */
export interface Plan {
  readonly assistant: Assistant;
  readonly parts: readonly Part[];
  readonly changes: readonly Change[];
}

interface Change {
  readonly config: ConfigFile;
  readonly after: string | null;
}

/** @throws Failure if a file cannot be parsed; nothing is changed then */
export function planInstall(assistant: Assistant, setup: Setup): Plan {
  return planOf(assistant, assistant.parts(setup), put);
}

/** Removes what any memd has written. @throws Failure as above */
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
  return { assistant, parts, changes };
}

/** Whether the plan changes nothing. */
export function isEmpty({ changes }: Plan): boolean {
  return changes.every(({ config, after }) => config.text === after);
}

/** The result of `work`; null if it failed as expected, with the message in `problems`: a failure of one assistant does not stop the others. */
export function attempt<T>(work: () => T, problems: string[]): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problems.push(error.message);
    return null;
  }
}

/** A unified diff of each file. */
export function diffOf({ changes }: Plan): string {
  return changes
    .map(({ config, after }) => unifiedDiff(config.text, after, config.file))
    .filter((text) => text !== '')
    .join('\n');
}

/** What an installation adds: `7 hooks and 1 server; 1 new file; nothing of yours changes`. */
export function additionWords(plan: Plan): string {
  const files = preview(plan).map(({ action }) => action);
  return [
    partWords(plan),
    ...some(files.filter((action) => action === 'created').length, 'new file'),
    ...some(files.filter((action) => action === 'changed').length, 'file').map(
      (changed) => `added to ${changed}`,
    ),
    'nothing of yours changes',
  ].join('; ');
}

/** `7 hooks and 1 server` */
export function partWords({ parts }: Plan): string {
  const ofKind = (wanted: RegExp): number => parts.filter(({ kind }) => wanted.test(kind)).length;
  const hooks = parts.reduce((sum, part) => sum + (part.kind === 'hooks' ? part.hooks.length : 0), 0);
  const plugins = some(ofKind(/^own-file$/), 'plugin');
  return [...some(hooks, 'hook'), ...plugins, ...some(ofKind(/server$/), 'server')].join(' and ');
}

function some(count: number, noun: string): string[] {
  return count === 0 ? [] : [counted(count, noun)];
}

/** What `carryOut` would report. */
export function preview({ changes }: Plan): FileReport[] {
  return changes.map(reportOf).filter((report) => report !== null);
}

/** Makes all changes or none: if one file cannot be written, the others are restored. @throws Failure that names it */
export function carryOut({ assistant, changes }: Plan, env: Environment): FileReport[] {
  // A folder that the user named is never removed.
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

function reportOf({ config: { file, text: before }, after }: Change): FileReport | null {
  if (before === after) return before === null ? null : { file, action: 'unchanged' };
  if (before === null) return { file, action: 'created' };
  return { file, action: after === null ? 'removed' : 'changed' };
}

/** The backups of the files of a plan, carried out or not, the oldest of each file first. `isNeedless`: equal to the file after the plan. */
export function backupsNextTo({ changes }: Plan) {
  return changes.flatMap(({ config, after }) =>
    backupsOf(config.file).map((file) => ({ file, isNeedless: fs.readFileSync(file, 'utf8') === after })),
  );
}
