import { jsonText, type MemoryKind } from '../../../core/event/index.ts';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import { kindList } from '../kinds.ts';
import { type AddCommand, command, wholeNumber } from '../program.ts';
import { read } from '../replies.ts';
import { hitLines, whyLines } from '../show.ts';

interface SearchOptions {
  readonly number?: number;
  readonly session?: string;
  readonly tool?: string;
  readonly kind?: readonly MemoryKind[];
  readonly why?: boolean;
  readonly json?: boolean;
}

export const searchCommand: AddCommand = (program, io) => {
  command(program, 'search', 'find calls, messages and sessions by words and by meaning', [
    'mem search "why did we drop redis"',
    'mem search ECONNREFUSED -k 3 --why',
    'mem search "why sqlite" --kind message',
    'mem search src/auth/login.ts --tool Edit',
  ])
    .argument('<QUERY...>', 'any text')
    .option('-k, --number <N>', 'at most N hits', wholeNumber(1))
    .option('--session <ID>', 'only this session')
    .option('--tool <NAME>', 'only calls of this tool')
    .option('--kind <KIND>', 'only calls, messages or sessions: call, message, session, or a list', kindList)
    .option('--why', 'explain each hit')
    .action(
      async (
        words: string[],
        { number: topK, why: explain, kind: kinds, json, ...filter }: SearchOptions,
      ) => {
        const query = words.join(' ');
        const request = {
          ...{ op: 'search', query, ...filter },
          ...(topK && { topK }),
          ...(kinds && { kinds }),
          ...(explain && { explain }),
        };
        const { hits } = read('search', await askAwake(workspaceOf(io), io, request));
        if (json) return io.out(jsonText({ hits }, 2));
        if (hits.length === 0) return io.note('no memory found');
        for (const hit of hits) io.out(hitLines(hit, hit.why ?? null, io));
      },
    );
};

export const whyCommand: AddCommand = (program, io) => {
  command(program, 'why', 'show how a memory is ranked for a query', ['mem why "login bug" 12'])
    .argument('<QUERY>', 'the query')
    .argument('<ID>', 'id of the memory', wholeNumber(1))
    .action(async (query: string, id: number, { json }: { json?: boolean }) => {
      const { why } = read('why', await askAwake(workspaceOf(io), io, { op: 'why', query, id }));
      io.out(json ? jsonText(why, 2) : whyLines(why, io));
    });
};
