import { spawnSync } from 'node:child_process';
import { lastCaptures } from '../../memory/store/index.ts';
import {
  type AssistantState,
  assistantStates,
  carryOut,
  findAssistant,
  ownPrograms,
  planInstall,
} from '../install/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';

// How long a look waits for `node --version`.
const nodeAnswersMs = 5_000;

/** Whether what is written into the assistants' settings can be run, is this memd's, and captures. */
export const assistants: Check = {
  code: 'assistants',
  severity: 'error',
  sentence: "an assistant's settings name a program that cannot be run",
  repair: 'run: memd install CLIENT',
  look,
  fix: { needsStop: false, does: 'the settings were written anew', run: async ({ env }) => fix(env) },
};

async function look({ workspace, env }: Looked): Promise<Found[]> {
  const states = assistantStates(env, ownPrograms(env));
  // What is none of ours may be as it likes.
  const present = states.filter(({ files }) => files.length > 0);
  if (present.length === 0) return [];
  const captures = fromStore(workspace, lastCaptures);
  return present.flatMap((one) => lookAt(one, captures?.get(one.name)));
}

function lookAt(one: AssistantState, lastCapture: string | undefined): Found[] {
  const { name, title } = one;
  const repair = `run: memd install ${[name, ...flagsOf(one)].join(' ')}`;
  if (one.state === 'unreadable') {
    return [
      {
        severity: 'warning',
        sentence: `the settings of ${title} cannot be read`,
        detail: one.reason ?? name,
        repair: 'put that right by hand',
        isFixable: false,
      },
    ];
  }
  const unable = one.gone.map(({ file, program }) => ({
    detail: `${title}: ${program} (named in ${file})`,
    repair,
  }));
  if (unable.length > 0) return unable;
  const silent = one.runners.filter((node) => !answers(node));
  if (silent.length > 0) return silent.map((node) => ({ detail: `${title}: ${node} does not run`, repair }));
  return [...(one.state === 'outdated' ? [outdated(one, repair)] : []), firing(one, lastCapture)];
}

function outdated({ title, files, hasServer }: AssistantState, repair: string): Found {
  return {
    severity: 'warning',
    sentence: hasServer
      ? "an assistant's settings are those of another memd, or not complete"
      : 'an assistant has the hooks of this memory and not its tools',
    detail: `${title}: ${files.join(', ')}`,
    repair,
  };
}

/** A note in either case: whoever has just installed it has had no call yet. */
function firing({ title }: AssistantState, lastCapture: string | undefined): Found {
  const shared = { severity: 'note', isFixable: false } as const;
  if (lastCapture !== undefined) {
    return {
      ...shared,
      sentence: 'an assistant is captured',
      detail: `${title}: last at ${lastCapture}`,
      repair: 'nothing to do',
    };
  }
  return {
    ...shared,
    sentence: 'an assistant is installed and nothing of it is captured here yet',
    detail: title,
    repair: `start ${title} anew and have it call a tool (docs/assistants.md)`,
  };
}

function flagsOf({ options }: AssistantState): string[] {
  return [
    ...(options.guard === null ? [] : ['--guard', options.guard]),
    ...(options.recall ? ['--recall'] : []),
  ];
}

function answers(node: string): boolean {
  return spawnSync(node, ['--version'], { timeout: nodeAnswersMs, stdio: 'ignore' }).status === 0;
}

/** Writes anew what is not as this memd would write it, with what was chosen when it was installed. */
function fix(env: Looked['env']): void {
  const programs = ownPrograms(env);
  for (const { name, state, gone, options } of assistantStates(env, programs)) {
    const assistant = findAssistant(name);
    if (assistant === null || (state !== 'outdated' && gone.length === 0) || state === 'unreadable') continue;
    carryOut(planInstall(assistant, { env, programs, options }), env);
  }
}
