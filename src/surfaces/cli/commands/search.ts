import path from 'node:path';
import { type Command, Option } from 'commander';
import { type JsonObject, jsonText } from '#core/event';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, countOption, kindList, memoryId } from '../program.ts';
import { answer, read } from '../replies.ts';
import { type SearchOptions, showNotes } from '../search-notes.ts';
import { whyLines } from '../show.ts';
import { hitsLines } from '../show-hits.ts';
import { shortLine } from '../show-log.ts';
import { sessionHitsLines } from '../show-session.ts';
import { memoryOf } from './memories.ts';

export const searchCommand: AddCommand = (program, io) => {
  const search = command(program, 'search', 'find calls, messages and sessions by words and by meaning', [
    'mem search "why did we drop redis"',
    'mem search "the migration we fixed last week"',
    'mem search ECONNREFUSED -k 3 --why',
    'mem search "why sqlite" --kind message',
    'mem search login --file src/auth/login.ts --tool edit --since 2w',
    'mem search "rate limit" --sessions',
    'mem search "how did we sign the release" --everywhere',
  ]).argument(
    '[QUERY...]',
    'any text; a date in it limits the results; without one, on a terminal, search while you type',
  );
  addFilters(countOption(search, 'at most N hits'))
    .option('--anytime', 'do not take a date in the query as a filter')
    .option('--sessions', 'sessions with their best moments')
    .addOption(
      new Option('--everywhere', 'all projects that have a memory, running or not').conflicts([
        'sessions',
        'why',
      ]),
    )
    .option('--oneline', 'one line for each hit')
    .option('--why', 'explain each hit')
    .action(async (words: string[], options: SearchOptions) => {
      const query = words.join(' ');
      if (words.length === 0) {
        const { everywhere, sessions, why, oneline, json, ...filters } = options;
        const isPlain = [everywhere, sessions, why, oneline, json].every((one) => one === undefined);
        const canDraw = io.isTerminal && process.stdin.isTTY && io.env.TERM !== 'dumb';
        if (!isPlain || !canDraw) search.error("error: missing required argument 'QUERY'");
        const { searchByTyping } = await import('./search-pick.ts');
        const recent = Object.keys(filters).length === 0;
        return searchByTyping((typed) => requestOf(typed, options, io), { recent }, io);
      }
      const request = requestOf(query, options, io);
      if (options.everywhere) {
        const { askEverywhere } = await import('./search-everywhere.ts');
        return showHits(await askEverywhere(query, options, io), query, options, io);
      }
      const reply = await askAwake(workspaceOf(io), io, request);
      if (options.sessions) showSessions(reply, query, options, io);
      else showHits(reply, query, options, io);
    });
};

function addFilters(search: Command): Command {
  return search
    .option('--session <ID>', 'only this session: its id, the beginning of it, or `last`')
    .option('--tool <NAME>', 'only calls of this tool, in any case')
    .option('--kind <KIND>', 'only calls, messages or sessions: call, message, session, or a list', kindList)
    .option('--since <TIME>', 'only since then: 2026-02-12, 2w, 3d, yesterday, "last week", "12 February"')
    .option('--until <TIME>', 'only until then; a day is included')
    .option('--file <PATH>', 'only what concerns this file: a path or the end of one')
    .option('--failed', 'only calls that failed')
    .option('--client <NAME>', 'only what this assistant recorded');
}

function requestOf(query: string, options: SearchOptions, io: Io): JsonObject {
  const {
    number: topK,
    why: explain,
    kind: kinds,
    json,
    everywhere: _all,
    oneline,
    file,
    ...filter
  } = options;
  return {
    ...{ op: 'search', query, ...filter },
    ...(file !== undefined && { file: filedAt(file, io) }),
    ...(topK && { topK }),
    ...(kinds && { kinds: [...kinds] }),
    ...(explain && { explain }),
    ...(!json && !oneline && { places: true }),
  };
}

/** A path as the memory may have it: one inside the workspace is relative to its root. */
function filedAt(file: string, io: Io): string {
  const isHere = path.isAbsolute(file) || /^\.{1,2}\//.test(file);
  if (!isHere) return file;
  const relative = path.relative(workspaceOf(io).root, path.resolve(io.cwd, file));
  return relative.startsWith('..') || relative === '' ? file : relative;
}

function showHits(reply: object, query: string, options: SearchOptions, io: Io): void {
  const { hits, ...limits } = read('search', reply);
  if (options.json) io.out(jsonText(options.everywhere ? reply : { hits, ...limits }, 2));
  showNotes(query, hits.length, limits, options, io);
  if (options.json || hits.length === 0) return;
  // A date that became a filter is not looked for.
  const asked = query.replace(limits.dates?.said ?? '', '');
  io.out(options.oneline ? hits.map((hit) => shortLine(hit, io)).join('\n') : hitsLines(hits, asked, io));
  if (io.isTerminal && !options.oneline)
    io.out(io.style('dim', `\nOpen one by its id: mem show ${hits[0]?.id}`));
}

function showSessions(reply: JsonObject, query: string, options: SearchOptions, io: Io): void {
  const { sessions, ...limits } = read('searchSessions', reply);
  if (options.json) io.out(jsonText({ sessions, ...limits }, 2));
  showNotes(query, sessions.length, limits, options, io);
  if (!options.json && sessions.length > 0)
    io.out(sessions.map((session) => sessionHitsLines(session, io)).join('\n\n'));
}

export const whyCommand: AddCommand = (program, io) => {
  command(program, 'why', 'show how a memory is ranked for a query', ['mem why "login bug" 12'])
    .argument('<QUERY>', 'the query')
    .argument('<ID>', 'id of the memory', memoryId)
    .action(async (query: string, id: number, { json }: { json?: boolean }) => {
      await memoryOf(id, io);
      const { why } = await answer('why', { query, id }, io);
      io.out(json ? jsonText(why, 2) : whyLines(why, io));
    });
};
