import { InvalidArgumentError, Option } from 'commander';
import { nearest } from '#core/config';
import { jsonText } from '#core/event';
import {
  type Assistant,
  type AssistantState,
  additionWords,
  assistantNames,
  assistantStates,
  assistants,
  candidatesOf,
  carryOut,
  diffOf,
  findAssistant,
  isEmpty,
  notesFor,
  ownPrograms,
  type Plan,
  planInstall,
  planUninstall,
  preview,
} from '#surfaces/install';
import { type Installed, installEach } from '../install-each.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { changeLines } from '../show.ts';
import { stateWords } from '../show-state.ts';
import { inHome, printable } from '../words.ts';

const names = assistants.map(({ name }) => name).join(', ');

interface InstallOptions {
  readonly guard?: 'warn' | 'block';
  readonly recall?: boolean;
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const installCommand: AddCommand = (program, io) => {
  const added = command(
    program,
    'install',
    'connect an assistant: add hooks and tools to your own settings of it',
    [
      'memd install',
      'memd install --all --dry-run',
      'memd install claude-code --dry-run',
      'memd install codex --guard warn',
    ],
  );
  added
    .argument('[CLIENT]', `one of ${names} (default: list them)`, assistantNamed)
    .option('--all', 'every assistant on this machine')
    .addOption(
      new Option('--guard <MODE>', 'before each call, warn or deny if the daemon does not answer').choices([
        'warn',
        'block',
      ]),
    )
    .option('--recall', 'after a failed command, remind the assistant of what fixed it earlier')
    .option('--dry-run', 'show the changes, change nothing')
    .action((assistant: Assistant | undefined, options: InstallOptions) => {
      const programs = ownPrograms(io.env);
      const { all, guard, recall } = options;
      if (all === true && assistant !== undefined) return added.error('error: name one assistant, or --all');
      const recallNotes = recall ? ['recall also needs "inject.recall": "failures" in config.json'] : [];
      if (all === true) {
        const chosen = { ...(guard && { guard }), ...(recall && { recall }) };
        const candidates = candidatesOf(io.env, programs, null, chosen);
        return finishAll(installEach(candidates, options, io), recallNotes, options, io);
      }
      if (assistant === undefined) return list(assistantStates(io.env, programs), options, io);
      const chosen = { guard: guard ?? null, recall: recall === true };
      const plan = planInstall(assistant, { env: io.env, programs, options: chosen });
      if (options.dryRun && !options.json && !isEmpty(plan)) io.out(additionWords(plan));
      finish(plan, options, io, () => [...notesFor(assistant, io.env, programs), ...recallNotes]);
    });
};

function finishAll(done: Installed, more: readonly string[], options: InstallOptions, io: Io): void {
  const { dryRun, json } = options;
  const notes = [...done.notes, ...more];
  const isOk = done.problems.length === 0;
  if (json) io.out(jsonText({ ok: isOk, ...(dryRun ? { dryRun } : {}), clients: done.clients, notes }, 2));
  else if (done.clients.length === 0) io.out('no assistant was found on this machine');
  for (const note of json ? [] : notes) io.note(`memd: ${note}`);
  if (!isOk) throw new Unsuccessful();
}

interface UninstallOptions extends InstallOptions {
  readonly keepData?: boolean;
  readonly deleteData?: boolean;
}

export const uninstallCommand: AddCommand = (program, io) => {
  const added = command(program, 'uninstall', 'undo install for one assistant, or remove memd with --all', [
    'memd uninstall codex --dry-run',
    'memd uninstall codex',
    'memd uninstall --all --dry-run',
  ]);
  added
    .argument('[CLIENT]', `one of ${names}`, assistantNamed)
    .option('--all', "all assistants; also stops every daemon and removes memd's files")
    .addOption(
      new Option('--keep-data', 'with --all: keep the memories (asks on a terminal)').conflicts('deleteData'),
    )
    .option('--delete-data', 'with --all: delete the memories of every project')
    .option('--dry-run', 'show the changes, change nothing')
    .action(async (assistant: Assistant | undefined, options: UninstallOptions) => {
      const { all, keepData, deleteData } = options;
      if (all === true && assistant === undefined) {
        const { uninstallAll } = await import('./uninstall-all.ts');
        return uninstallAll(options, io);
      }
      if (assistant === undefined || all || keepData || deleteData)
        return added.error('error: name one assistant, or --all; --keep-data and --delete-data need --all');
      const plan = planUninstall(assistant, io.env, ownPrograms(io.env));
      finish(plan, options, io, () => (isEmpty(plan) ? [] : [`restart ${assistant.title}`]));
    });
};

/** @throws InvalidArgumentError, which is exit 2 */
export function assistantNamed(name: string): Assistant {
  const assistant = findAssistant(name);
  if (assistant !== null) return assistant;
  const near = nearest(name, assistantNames);
  const question = near === null ? '' : ` Did you mean "${near}"?`;
  throw new InvalidArgumentError(`Unknown assistant.${question} Known: ${names}`);
}

/** Shows a plan, or carries it out and reports. */
function finish(plan: Plan, { dryRun = false, json }: InstallOptions, io: Io, notesOf: () => string[]): void {
  const { name, title } = plan.assistant;
  const files = dryRun ? preview(plan) : carryOut(plan, io.env);
  const notes = notesOf();
  if (json) {
    const diff = dryRun ? { dryRun, diff: diffOf(plan) } : {};
    io.out(jsonText({ ok: true, client: name, files, notes, ...diff }, 2));
    return;
  }
  if (isEmpty(plan)) io.out(`${title}: nothing to change`);
  else if (dryRun) io.raw(printable(diffOf(plan)));
  else io.out(changeLines(files, io));
  for (const note of notes) io.note(`memd: ${note}`);
}

function list(states: readonly AssistantState[], { json }: InstallOptions, io: Io): void {
  if (json) {
    const clients = states.map(({ name, title, isFound, state, files, options, reason }) => ({
      ...{ client: name, title, found: isFound, state, files },
      ...(state === 'installed' || state === 'outdated' ? { options } : {}),
      ...(reason === null ? {} : { reason }),
    }));
    io.out(jsonText({ ok: true, clients }, 2));
    return;
  }
  const shown = states.filter(({ isFound, state }) => isFound || state !== 'not-installed');
  for (const { name, state, reason } of shown) {
    const words = reason === null ? stateWords[state] : `${stateWords[state]}: ${inHome(reason, io)}`;
    io.out(`${name.padEnd(12)} ${io.style(styles[state], printable(words))}`);
  }
  if (shown.length === 0) io.out('no assistant was found on this machine');
  io.note(`memd: to connect one, run \`memd install CLIENT\` (${names})`);
}

const styles: Readonly<Record<AssistantState['state'], Parameters<Io['style']>[0]>> = {
  installed: 'green',
  outdated: 'yellow',
  'not-installed': 'dim',
  unreadable: 'red',
};
