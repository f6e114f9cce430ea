import { spawnSync } from 'node:child_process';
import { homeOf } from '#core/workspace';
import { lastCaptures } from '#memory/store';
import { transcriptsOf } from '#service/backfill';
import {
  type AssistantState,
  assistantStates,
  carryOut,
  findAssistant,
  installCommand,
  ownPrograms,
  planInstall,
} from '#surfaces/install';
import { type Check, type Context, noted, type Problem } from './check.ts';
import { readStore } from './read-store.ts';
import { some } from './words.ts';

const nodeAnswersMs = 5_000;

/** Whether the assistants' settings run the hooks of this memd, and whether these capture. */
export const assistants: Check = {
  code: 'assistants',
  severity: 'error',
  sentence: "an assistant's settings name a program that does not run",
  repair: 'run `memd install CLIENT`',
  run: async ({ workspace, env }) => {
    const installed = assistantStates(env, ownPrograms(env)).filter(({ files }) => files.length > 0);
    const captures = installed.length === 0 ? null : readStore(workspace, lastCaptures);
    return installed.flatMap((one) => checkAssistant(one, captures?.get(one.name)));
  },
  fix: { needsStop: false, done: 'the settings were written again', run: async ({ env }) => fix(env) },
};

function checkAssistant(one: AssistantState, lastCapture: string | undefined): Problem[] {
  const { name, title } = one;
  const repair = `run \`${installCommand(one)}\``;
  if (one.state === 'unreadable') {
    const sentence = `the settings of ${title} cannot be read`;
    const corrected = noted(sentence, one.reason ?? name, 'correct them, then run `memd doctor`');
    return [{ ...corrected, severity: 'warning' }];
  }
  const missing = one.gone.map(({ file, program }) => `${program} (named in ${file})`);
  const silent = one.runners.filter((node) => !answers(node)).map((node) => `${node} does not run`);
  const broken = missing.length > 0 ? missing : silent;
  if (broken.length > 0) return broken.map((what) => ({ detail: `${title}: ${what}`, repair }));
  return [...(one.state === 'outdated' ? [outdated(one, repair)] : []), captured(title, lastCapture)];
}

function outdated({ title, files, hasServer, lacksMessages }: AssistantState, repair: string): Problem {
  const incomplete = hasServer
    ? "an assistant's settings are incomplete or those of another memd"
    : 'an assistant has the hooks of this memory but not its tools';
  const sentence = lacksMessages
    ? "an assistant's settings lack the hooks for prompts and replies"
    : incomplete;
  return { severity: 'warning', sentence, detail: `${title}: ${files.join(', ')}`, repair };
}

/** A note in both cases: after an installation there is no call yet. */
function captured(title: string, lastCapture: string | undefined): Problem {
  if (lastCapture !== undefined)
    return noted('an assistant is captured', `${title}: last at ${lastCapture}`, 'nothing to do');
  const sentence = 'an assistant is installed but nothing of it is captured here yet';
  return noted(sentence, title, `restart ${title} and let it call a tool (docs/assistants.md)`);
}

function answers(node: string): boolean {
  return spawnSync(node, ['--version'], { timeout: nodeAnswersMs, stdio: 'ignore' }).status === 0;
}

/** With the options that were chosen at the installation. */
function fix(env: Context['env']): void {
  const programs = ownPrograms(env);
  for (const { name, state, gone, options } of assistantStates(env, programs)) {
    const assistant = findAssistant(name);
    if (assistant === null || (state !== 'outdated' && gone.length === 0) || state === 'unreadable') continue;
    carryOut(planInstall(assistant, { env, programs, options }), env);
  }
}

/** Transcripts of this project from assistants that the memory has no call of. */
export const transcripts: Check = {
  code: 'transcripts',
  severity: 'note',
  sentence: 'earlier sessions of an assistant can be imported',
  repair: 'run `memd backfill`',
  run: checkTranscripts,
};

async function checkTranscripts({ workspace, env, progress }: Context): Promise<Problem[]> {
  progress('looking for transcripts');
  const found = await transcriptsOf({ root: workspace.root, home: homeOf(env), env });
  found.close?.();
  const captures = readStore(workspace, lastCaptures);
  const clients = found.transcripts.map(({ client }) => client).filter((one) => !captures?.has(one));
  const problems: Problem[] = [...new Set(clients)].map((client) => ({
    detail: `${client}: ${clients.filter((one) => one === client).length} transcripts, no call is stored`,
  }));
  const { notes = [] } = found;
  if (notes.length > 0) problems.push(noted('good to know', some(notes), 'nothing to do'));
  if (found.unreadable.length === 0) return problems;
  const sentence = 'some folders of transcripts cannot be read';
  const repair = 'make them readable, then run `memd backfill`';
  return [...problems, { sentence, detail: some(found.unreadable), repair }];
}
