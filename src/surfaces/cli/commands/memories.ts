import type { Command } from 'commander';
import { isObject, jsonText, type MemoryKind } from '#core/event';
import { Failure } from '#core/platform';
import { ask, askAwake, ensureMemory, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, countOption, kindList, memoryId } from '../program.ts';
import { answer } from '../replies.ts';
import { summaryLines } from '../show.ts';
import { inLine } from '../words.ts';
import { mustBePerson } from './rules.ts';

interface JsonOption {
  readonly json?: boolean;
}

interface RecentOptions extends JsonOption {
  readonly number: number;
  readonly before?: number;
  readonly session?: string;
  readonly tool?: string;
  readonly kind?: readonly MemoryKind[];
}

export const recentCommand: AddCommand = (program, io) => {
  const added = command(program, 'recent', 'list memories, newest first', [
    'mem recent',
    'mem recent -k 5 --tool Bash',
  ]);
  countOption(added, 'number of memories', { fallback: 10 })
    .option('--before <ID>', 'only memories older than this one', memoryId)
    .option('--session <ID>', 'only this session: its id, the beginning of it, or `last`')
    .option('--tool <NAME>', 'only calls of this tool, in any case')
    .option('--kind <KIND>', 'only calls or messages: call, message', kindList)
    .action(async ({ number: limit, kind: kinds, json, ...filter }: RecentOptions) => {
      const request = { limit, ...filter, ...(kinds && { kinds: [...kinds] }) };
      const { summaries } = await answer('recent', request, io);
      if (json) return io.out(jsonText({ summaries }, 2));
      if (summaries.length === 0)
        return io.note('no memories yet. To summarise captured events, run `memd drain`.');
      for (const summary of summaries) io.out(summaryLines(summary, io));
    });
};

export const timelineCommand: AddCommand = (program, io) => {
  const added = command(program, 'timeline', 'show what was said and done around a memory in its session', [
    'mem timeline 12',
    'mem timeline 12 -k 20',
  ]).argument('<ID>', 'id of the memory', memoryId);
  const summary = 'number of memories on each side; default: 5, for a message its whole turn';
  countOption(added, summary, { former: '-n, --window <N>' }).action(
    async (id: number, { number: window, json }: JsonOption & { readonly number?: number }) => {
      await memoryOf(id, io);
      const request = { id, ...(window && { window }) };
      const { before, summary, after } = await answer('timeline', request, io);
      if (json) return io.out(jsonText({ before, summary, after }, 2));
      for (const one of [...before, summary, ...after])
        io.out(summaryLines(one, io, one === summary ? io.style('bold', '> ') : '  '));
    },
  );
};

export const pinCommand: AddCommand = (program, io) => {
  addPin(program, io, 'pin', 'keep a memory: no decay with age, no pruning', 'pinned');
};

export const unpinCommand: AddCommand = (program, io) => {
  addPin(program, io, 'unpin', 'undo a pin', 'no longer pinned');
};

function addPin(program: Command, io: Io, name: 'pin' | 'unpin', summary: string, done: string): void {
  command(program, name, summary, [`mem ${name} 12`])
    .argument('<ID>', 'id of the memory', memoryId)
    .action(async (id: number, { json }: JsonOption) => {
      const memory = await namedMemory(id, io);
      await askAwake(workspaceOf(io), io, { op: name, id });
      io.out(json ? jsonText({ ok: true, id }) : `${memory} is ${done}`);
    });
}

export const promoteCommand: AddCommand = (program, io) => {
  command(program, 'promote', 'choose a memory for your team: with sync.share "promoted" only these leave', [
    'mem promote 12',
    'mem promote 12 --note "this is how the release is built"',
  ])
    .argument('<ID>', 'id of the memory', memoryId)
    .option('--note <TEXT>', 'what the others should know about it')
    .action(async (id: number, { note = '', json = false }: { note?: string; json?: boolean }) => {
      const workspace = workspaceOf(io);
      await ensureMemory(workspace, io);
      await memoryOf(id, io);
      await ask(workspace, { op: 'promote', id, note });
      io.out(
        json ? jsonText({ ok: true, id }) : `memory #${id} is chosen for your team; \`memd sync\` sends it`,
      );
    });
};

/**
 * A memory that is to be changed, by its number, and by the other author who recorded it.
 * @throws Failure `not_a_person` if it was made as a rule and an assistant asks
 */
export async function namedMemory(id: number, io: Io): Promise<string> {
  const { author, payload } = await memoryOf(id, io);
  const { input } = isObject(payload) ? payload : {};
  if (isObject(input) && input.rule !== undefined) mustBePerson(io);
  return `memory #${id}${author === undefined ? '' : inLine(` from ${author}`)}`;
}

/** @throws Failure `not_found` */
export async function memoryOf(id: number, io: Io) {
  const [memory] = (await answer('get', { ids: [id] }, io)).summaries;
  if (memory !== undefined) return memory;
  throw new Failure('not_found', `there is no memory with id ${id}`, { repair: 'run `mem recent`' });
}
