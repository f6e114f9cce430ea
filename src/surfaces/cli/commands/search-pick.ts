import { Command } from 'commander';
import type { JsonObject } from '#core/event';
import { commandText } from '#reading/call';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type Act, pick } from '../picker.ts';
import type { AddCommand } from '../program.ts';
import { answer, type HitReply, read } from '../replies.ts';
import { callIn } from '../show-call.ts';
import { printable } from '../words.ts';

/** A search while one types; `requestOf` gives the search for a query, `recent` is whether nothing limits it. */
export async function searchByTyping(
  requestOf: (query: string) => JsonObject,
  { recent }: { recent: boolean },
  io: Io,
): Promise<void> {
  // Other output would break the list.
  const quiet: Io = { ...io, showsProgress: false, note: () => {}, progress: () => {} };
  const find = async (query: string): Promise<readonly HitReply[]> => {
    if (query.trim() !== '')
      return read('search', await askAwake(workspaceOf(io), quiet, requestOf(query))).hits;
    if (!recent) return [];
    const { summaries } = await answer('recent', { limit: recentMax }, quiet);
    return summaries.map((one, at) => ({ ...one, rank: at + 1, score: 0 }));
  };
  const picked = await pick(find, quiet);
  // Not after an answer for which nobody waits any more.
  if (picked === null) process.exit(0);
  const { act, hit } = picked;
  if (act === 'copy') return copy(hit, io);
  await (await commands[act]())(hit, io);
}

const recentMax = 50;

/** The commands that do the same by hand. */
const commands: Readonly<
  Record<Exclude<Act, 'copy'>, () => Promise<(hit: HitReply, io: Io) => Promise<void>>>
> = {
  show: async () => asCommand((await import('./show.ts')).showCommand, ({ id }) => ['show', String(id)]),
  resume: async () =>
    asCommand((await import('./resume.ts')).resumeCommand, ({ sessionId }) => ['resume', sessionId]),
  page: async () =>
    asCommand((await import('./web.ts')).webCommand, ({ id }) => ['web', `#/memories?open=${id}`]),
};

function asCommand(add: AddCommand, argv: (hit: HitReply) => string[]) {
  return async (hit: HitReply, io: Io): Promise<void> => {
    const program = new Command();
    add(program, io);
    await program.parseAsync(argv(hit), { from: 'user' });
  };
}

/** To the clipboard, by the terminal (OSC 52), and printed: not every terminal does it. */
async function copy({ id }: HitReply, io: Io): Promise<void> {
  const [summary] = (await answer('get', { ids: [id] }, io)).summaries;
  const call = callIn(summary?.payload ?? null);
  const text = printable((call && commandText(call)) || (summary?.text ?? ''));
  process.stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  io.raw(text);
  io.note(`Copied #${id}, if this terminal gives programs its clipboard.`);
}
