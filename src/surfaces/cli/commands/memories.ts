import type { Command } from 'commander';
import { jsonText } from '../../../core/event/index.ts';
import { Failure } from '../../../core/platform/index.ts';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, wholeNumber } from '../program.ts';
import { read } from '../replies.ts';
import { summaryLines } from '../show.ts';
import { printable } from '../words.ts';

export const showCommand: AddCommand = (program, io) => {
  command(program, 'show', 'show a memory with the call it was made of', ['mem show 12'])
    .argument('<ID>', 'the id of a memory', wholeNumber(1))
    .option('--json', 'as JSON')
    .action(async (id: number, options: { json?: boolean }) => {
      const [summary] = read('get', await askAwake(workspaceOf(io), io, { op: 'get', ids: [id] })).summaries;
      if (summary === undefined)
        throw new Failure('not_found', `there is no memory with id ${id}`, { repair: 'run: mem recent' });
      if (options.json) return io.out(jsonText(summary, 2));
      const vector =
        summary.embedder === null ? 'none yet' : `${summary.embedder}, ${summary.dimension} dimensions`;
      io.out(summaryLines(summary, io));
      io.out(io.style('dim', printable(`    event ${summary.eventId} · ${summary.ts} · vector: ${vector}`)));
      for (const { from, to, kind, evidence } of summary.edges) {
        io.out(io.style('yellow', printable(`    #${from} ${kind} #${to}: ${evidence}`)));
      }
      io.out(printable(jsonText(summary.payload, 2)));
    });
};

export const recentCommand: AddCommand = (program, io) => {
  command(program, 'recent', 'list memories, newest first', ['mem recent', 'mem recent -n 5 --tool Bash'])
    .option('-n, --number <N>', 'how many', wholeNumber(1), 10)
    .option('--before <ID>', 'older than this one', wholeNumber(1))
    .option('--session <ID>', 'only of this session')
    .option('--tool <NAME>', 'only calls of this tool')
    .option('--json', 'as JSON')
    .action(
      async (options: {
        number: number;
        before?: number;
        session?: string;
        tool?: string;
        json?: boolean;
      }) => {
        const { number: limit, json, ...filter } = options;
        const { summaries } = read(
          'recent',
          await askAwake(workspaceOf(io), io, { op: 'recent', limit, ...filter }),
        );
        if (json) return io.out(jsonText({ summaries }, 2));
        if (summaries.length === 0)
          return io.note('no memories yet; `memd drain` makes them of what was captured');
        for (const summary of summaries) io.out(summaryLines(summary, io));
      },
    );
};

export const timelineCommand: AddCommand = (program, io) => {
  command(program, 'timeline', 'show what happened around a memory in its session', ['mem timeline 12'])
    .argument('<ID>', 'the id of a memory', wholeNumber(1))
    .option('-n, --window <N>', 'how many on each side', wholeNumber(1), 5)
    .option('--json', 'as JSON')
    .action(async (id: number, options: { window: number; json?: boolean }) => {
      const reply = await askAwake(workspaceOf(io), io, { op: 'timeline', id, window: options.window });
      const { before, summary, after } = read('timeline', reply);
      if (options.json) return io.out(jsonText({ before, summary, after }, 2));
      for (const one of before) io.out(summaryLines(one, io, '  '));
      io.out(summaryLines(summary, io, io.style('bold', '> ')));
      for (const one of after) io.out(summaryLines(one, io, '  '));
    });
};

export const pinCommand: AddCommand = (program, io) => {
  addPin(program, io, 'pin', 'keep a memory from fading with time and from being pruned', 'pinned');
};

export const unpinCommand: AddCommand = (program, io) => {
  addPin(program, io, 'unpin', 'let a memory fade again', 'not pinned any more');
};

function addPin(program: Command, io: Io, name: 'pin' | 'unpin', summary: string, done: string): void {
  command(program, name, summary, [`mem ${name} 12`])
    .argument('<ID>', 'the id of a memory', wholeNumber(1))
    .option('--json', 'as JSON')
    .action(async (id: number, options: { json?: boolean }) => {
      await askAwake(workspaceOf(io), io, { op: name, id });
      io.out(options.json ? jsonText({ ok: true, id }) : `memory #${id} is ${done}`);
    });
}
