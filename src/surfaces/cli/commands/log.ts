import { fileURLToPath } from 'node:url';
import { jsonText } from '#core/event';
import { Failure } from '#core/platform';
import { openStoreReadOnly } from '#memory/store';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { onStore } from '../own-store.ts';
import { page } from '../pager.ts';
import { type AddCommand, command } from '../program.ts';
import { answer, findSession, type SummaryReply } from '../replies.ts';
import { logLine, saidLines } from '../show-log.ts';
import { sessionLines } from '../show-session.ts';

const pageEvents = 500;
const pageFolder = fileURLToPath(new URL('./web', import.meta.url));

interface LogOptions {
  readonly session?: string;
  readonly oneline?: boolean;
  readonly full?: boolean;
  readonly html?: boolean;
  readonly pager?: boolean;
  readonly json?: boolean;
}

export const logCommand: AddCommand = (program, io) => {
  command(program, 'log', 'print a session from its first request to its outcome', [
    'mem log',
    'mem log 38fb3e7a --full',
    'mem log --oneline',
    'mem log --html > session.html',
  ])
    .argument('[SESSION]', 'id of a session, a prefix of one, or last', 'last')
    .option('--session <ID>', 'same as SESSION')
    .option('--oneline', 'one line for each call and message')
    .option('--full', 'messages as a whole')
    .option('--html', 'one HTML file for a browser or a review, with all that is needed in it')
    .option('--no-pager', 'print directly, also on a terminal')
    .action(async (named: string, options: LogOptions) => {
      const session = await findSession(options.session ?? named, io);
      if (options.html === true) return io.raw(await htmlOf(session.sessionId, io));
      const summaries = await eventsOf(session.sessionId, io);
      const events = options.full === true ? await withWholeTexts(summaries, io) : summaries;
      if (options.json) return io.out(jsonText({ session, summaries: events }, 2));
      const body = events.map((one) =>
        options.oneline === true || one.kind !== 'message'
          ? logLine(one, io)
          : saidLines(one, options.full === true, io),
      );
      page([sessionLines(session, io), '', ...body].join('\n'), io, options);
    });
};

/** The page's view of the session. */
async function htmlOf(session: string, io: Io): Promise<string> {
  if (io.isTerminal)
    throw new Failure('usage', 'the file would be printed on the terminal', {
      repair: 'name a file: `mem log --html > session.html`',
    });
  const workspace = workspaceOf(io);
  const store = openStoreReadOnly(workspace.database);
  const { savedPage } = await import('#service/bridge');
  const html =
    store &&
    (await onStore(store, () =>
      savedPage(store, session, { root: workspace.root, assets: pageFolder, savedMs: Date.now() }),
    ));
  if (html === null)
    throw new Failure('not_found', `session ${session} was removed just now`, {
      repair: 'run `mem sessions`',
    });
  return html;
}

/** Oldest first. */
async function eventsOf(session: string, io: Io): Promise<SummaryReply[]> {
  const found: SummaryReply[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const request = { session, limit: pageEvents, ...(before !== undefined && { before }) };
    const { summaries } = await answer('recent', request, io);
    found.push(...summaries.filter(({ kind }) => kind !== 'session'));
    if (summaries.length < pageEvents) return found.reverse();
  }
}

/** A list has the gist of a message; its own words are read separately. */
async function withWholeTexts(events: readonly SummaryReply[], io: Io): Promise<SummaryReply[]> {
  const ids = events.filter(({ kind }) => kind === 'message').map(({ id }) => id);
  const texts = new Map<number, string>();
  for (let at = 0; at < ids.length; at += pageEvents) {
    const { summaries } = await answer('get', { ids: ids.slice(at, at + pageEvents) }, io);
    for (const { id, text } of summaries) texts.set(id, text);
  }
  return events.map((one) => ({ ...one, text: texts.get(one.id) ?? one.text }));
}
