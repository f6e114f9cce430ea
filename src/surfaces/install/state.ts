import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '#core/platform';
import type { Environment } from '#core/workspace';
import { type Assistant, assistants } from './assistants.ts';
import { isIn, serverIn } from './change.ts';
import { findHooks } from './change-hooks.ts';
import { mentions, readConfig } from './config-file.ts';
import { nodeIn, ownHook, wordsOf } from './hooks.ts';
import { isEmpty, noOptions, planInstall } from './install.ts';
import type { Options, Part } from './part.ts';
import { isExecutable, isOnPath, type Programs } from './programs.ts';

/** `installed` equals what this memd would write; `outdated` is anything else of memd; `unreadable` is a file that cannot be parsed. */
type InstallState = 'installed' | 'outdated' | 'not-installed' | 'unreadable';
export type AssistantState = ReturnType<typeof assistantState>;

/** Changes nothing, and reports unreadable files instead of throwing. */
export function assistantStates(env: Environment, programs: Programs): AssistantState[] {
  return assistants.map((assistant) => assistantState(assistant, env, programs));
}

export function assistantState(assistant: Assistant, env: Environment, programs: Programs) {
  const { name, title } = assistant;
  const nothing = {
    ...{ name, title },
    /** Whether its folder exists or its program is on the PATH. */
    isFound: fs.existsSync(assistant.folder(env)) || isOnPath(assistant.programs, env),
    state: 'not-installed' as InstallState,
    /** Its files with content of memd; if unreadable, those that mention memd. */
    files: [] as readonly string[],
    options: noOptions,
    hasServer: false,
    /** Whether it was installed by a memd that captured no messages. */
    lacksMessages: false,
    /** Programs in the settings that cannot run. */
    gone: [] as Gone,
    /** The existing Node programs in the settings. */
    runners: [] as readonly string[],
    /** Why it is unreadable; else null. */
    reason: null as string | null,
  };
  try {
    const parts = assistant.parts({ env, programs, options: noOptions });
    const texts = parts.map((part) => ({ part, text: readConfig(part.file).text }));
    const ours = texts.flatMap(({ part, text }) =>
      text !== null && isIn(part, text) ? [{ part, text }] : [],
    );
    if (ours.length === 0) return nothing;
    const run = ours.flatMap(({ part, text }) =>
      wordsIn(part, text).map((words) => ({ file: part.file, words })),
    );
    const options = optionsIn(run.map(({ words }) => words));
    const isCurrent = isEmpty(planInstall(assistant, { env, programs, options }));
    const state: InstallState = isCurrent ? 'installed' : 'outdated';
    return {
      ...{ ...nothing, state },
      files: [...new Set(ours.map(({ part }) => part.file))],
      options,
      hasServer:
        assistant.server === undefined ||
        ours.some(({ part }) => part.kind === 'server' || part.kind === 'toml-server'),
      lacksMessages: ours.some(({ part, text }) => lacksMessages(part, text)),
      gone: goneIn(run),
      runners: [...new Set(run.map(({ words }) => nodeIn(words)))].filter(isExecutable),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const state: InstallState = 'unreadable';
    return { ...nothing, files: mentioning(assistant, env, programs), state, reason: error.message };
  }
}

/** The command that writes the settings again, with the options of the installation. */
export function installCommand({ name, options }: Pick<AssistantState, 'name' | 'options'>): string {
  const guard = options.guard === null ? '' : ` --guard ${options.guard}`;
  return `memd install ${name}${guard}${options.recall ? ' --recall' : ''}`;
}

/** Whether a part of ours captures calls and not each event with a message. */
function lacksMessages(part: Part, text: string): boolean {
  if (part.kind === 'own-file') return !/^const said = \[\n {2}\{/m.test(text);
  if (part.kind !== 'hooks') return false;
  const captured = findHooks(part, text).filter(({ program }) => program === 'capture-observation');
  const events = new Set(captured.map(({ event }) => event));
  return events.size > 0 && part.hooks.some(({ event, isMessage }) => isMessage && !events.has(event));
}

function mentioning(assistant: Assistant, env: Environment, programs: Programs): string[] {
  const files = assistant.parts({ env, programs, options: noOptions }).map(({ file }) => file);
  return [...new Set(files)].filter((file) => mentions(file, 'memd'));
}

/** The command lines of memd in a part's text. */
function wordsIn(part: Part, text: string): (readonly string[])[] {
  switch (part.kind) {
    case 'hooks':
      return findHooks(part, text).map(({ words }) => words);
    case 'server':
    case 'toml-server':
      return [wordsOf(serverIn(part, text))];
    case 'own-file':
      return [...text.matchAll(/\bwords: (\[.*\]), timeoutMs/g)].map(([, list = '[]']) =>
        wordsOf({ command: JSON.parse(list) }),
      );
  }
}

/** The options of the installation. */
function optionsIn(run: readonly (readonly string[])[]): Options {
  const hooks = run.map((words) => ownHook({ command: words })).filter((hook) => hook !== null);
  const guard = hooks.find(({ program }) => program === 'guard')?.words;
  const mode = guard?.[guard.indexOf('--mode') + 1];
  return {
    guard: guard === undefined ? null : mode === 'block' ? 'block' : 'warn',
    recall: hooks.some(({ program }) => program === 'recall'),
  };
}

type Gone = readonly { readonly file: string; readonly program: string }[];

function goneIn(run: readonly { readonly file: string; readonly words: readonly string[] }[]): Gone {
  const gone = run.flatMap(({ file, words }) => {
    const [, script = ''] = words;
    const program = nodeIn(words);
    return [
      ...(path.isAbsolute(program) && !isExecutable(program) ? [{ file, program }] : []),
      ...(path.isAbsolute(script) && !fs.existsSync(script) ? [{ file, program: script }] : []),
    ];
  });
  return gone.filter((one, index) => gone.findIndex(({ program }) => program === one.program) === index);
}
