import { jsonText } from '../../event/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, wholeNumber } from '../program.ts';
import { type HitReply, read, type WhyReply } from '../replies.ts';
import { hitLines, whyLines } from '../show.ts';

interface SearchOptions {
  readonly number?: number;
  readonly session?: string;
  readonly tool?: string;
  readonly why?: boolean;
  readonly json?: boolean;
}

export const searchCommand: AddCommand = (program, io) => {
  command(program, 'search', 'find memories by words and by meaning', [
    'mem search "why did we drop redis"',
    'mem search ECONNREFUSED -k 3 --why',
    'mem search src/auth/login.ts --tool Edit',
  ])
    .argument('<QUERY...>', 'what to look for; any text')
    .option('-k, --number <N>', 'at most N hits', wholeNumber(1))
    .option('--session <ID>', 'only of this session')
    .option('--tool <NAME>', 'only calls of this tool')
    .option('--why', 'explain each hit')
    .option('--json', 'as JSON')
    .action(async (words: string[], options: SearchOptions) => {
      const workspace = workspaceOf(io);
      const query = words.join(' ');
      const { session, tool } = options;
      const filter = { ...(session ? { session } : {}), ...(tool ? { tool } : {}) };
      const limit = options.number === undefined ? {} : { topK: options.number };
      const { hits } = read(
        'search',
        await askAwake(workspace, io, { op: 'search', query, ...limit, ...filter }),
      );
      if (options.json) return io.out(jsonText({ hits }, 2));
      if (hits.length === 0) return io.note('nothing found');
      for (const hit of hits) {
        const why = options.why ? await whyOf(workspace, io, query, hit, filter) : null;
        io.out(hitLines(hit, why, io));
      }
    });
};

export const whyCommand: AddCommand = (program, io) => {
  command(program, 'why', 'show the numbers that gave a memory its rank for a query', [
    'mem why "login bug" 12',
  ])
    .argument('<QUERY>', 'the query')
    .argument('<ID>', 'the id of a memory', wholeNumber(1))
    .option('--json', 'as JSON')
    .action(async (query: string, id: number, options: { json?: boolean }) => {
      const { why } = read('why', await askAwake(workspaceOf(io), io, { op: 'why', query, id }));
      io.out(options.json ? jsonText(why, 2) : whyLines(why, io));
    });
};

async function whyOf(
  workspace: Workspace,
  io: Io,
  query: string,
  { id }: HitReply,
  filter: Readonly<Record<string, string>>,
): Promise<WhyReply> {
  return read('why', await askAwake(workspace, io, { op: 'why', query, id, ...filter })).why;
}
