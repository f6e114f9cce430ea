import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { jsonText } from '#core/event';
import { homeOf, type Workspace } from '#core/workspace';
import { questionsOf, SessionAccounts } from '#memory/account';
import { OutlineReads, openStoreReadOnly } from '#memory/store';
import { transcriptsOf } from '#service/backfill';
import {
  type Assistant,
  assistants,
  type Candidate,
  candidatesOf,
  ownPrograms,
  partWords,
  preview,
} from '#surfaces/install';
import { canAsk, confirm } from '../confirm.ts';
import { workspaceOf } from '../daemon-link.ts';
import { installEach } from '../install-each.ts';
import { type Io, silent } from '../io.ts';
import { onStore } from '../own-store.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { withProgress } from '../progress.ts';
import { answer, type HitReply } from '../replies.ts';
import { type Row, rowLines } from '../show.ts';
import { hitsLines } from '../show-hits.ts';
import { count, dateWords, inHome, plural, printable, wrap } from '../words.ts';
import { assistantNamed } from './install.ts';
import { bringUp } from './up.ts';

const questionsMax = 3;
const triedMax = 24;
/** An answer further down is not seen as one. */
const answeredAt = 3;
const answerLinesMax = 4;
const sessionsReadMax = 20;

interface Options {
  readonly yes?: boolean;
  readonly only?: readonly Assistant[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const setupCommand: AddCommand = (program, io) => {
  command(
    program,
    'setup',
    'connect the assistants of this machine, and import their sessions of this project',
    ['memd setup', 'memd setup --dry-run', 'memd setup --yes --only claude-code,codex'],
  )
    .option('-y, --yes', 'do not ask')
    .option('--only <CLIENTS>', 'only these assistants, with commas between them', namedAssistants)
    .option('--dry-run', 'show the changes, change nothing')
    .action((options: Options) => setup(options, io));
};

async function setup({ yes = false, only, dryRun = false, json = false }: Options, io: Io): Promise<void> {
  const workspace = workspaceOf(io);
  const candidates = candidatesOf(io.env, ownPrograms(io.env), only ?? null);
  const earlier = await withProgress(io, 'looking for earlier sessions', () =>
    earlierSessions(workspace, io),
  );
  const text: Io = json ? { ...io, ...silent } : io;
  const plan = planText(workspace, candidates, earlier, io);
  if (!dryRun) text.out(plan);
  const isPlanOnly = dryRun || !(yes || (!json && canAsk(io) && (await confirm('\nGo on? [y/N] '))));
  if (!isPlanOnly) text.out('');
  // Without an answer the plan is all there is to see.
  const shown = isPlanOnly && !dryRun ? { ...text, ...silent } : text;
  const done = installEach(candidates, { dryRun: isPlanOnly, json }, shown);
  // Below the changes, which may be longer than the screen.
  if (dryRun) text.out(`\n${plan}`);
  const result = { assistants: done.clients, ...earlier };
  if (isPlanOnly) {
    if (json) io.out(jsonText({ ok: dryRun, dryRun: true, ...result }, 2));
    if (!dryRun) io.note('memd: nothing was changed. To go on without a question, run `memd setup --yes`.');
    if (!dryRun || done.problems.length > 0) throw new Unsuccessful();
    return;
  }
  const { firstError, text: _text, ...up } = await bringUp(json, io, earlier.notes);
  const { first, ...found } = await foundIn(workspace, io);
  const isOk = firstError === undefined && done.problems.length === 0;
  if (json) io.out(jsonText({ ok: isOk, ...result, ...up, ...found, installNotes: done.notes }, 2));
  // What to try stands last, where it is seen.
  for (const note of json ? [] : done.notes) io.note(`memd: ${note}`);
  if (!json) io.out(foundText({ ...found, first }, candidates.length > 0, io));
  if (!isOk) throw new Unsuccessful();
}

/** The screen before the question. */
function planText(
  { root }: Workspace,
  candidates: readonly Candidate[],
  { sessions, notes }: Earlier,
  io: Io,
): string {
  const changes = candidates.map(
    (one): Row => [`  ${one.assistant.title} `, printable(changeWords(one, io))],
  );
  const earlier = sessions.map(({ title, sessions: all, days, since }): Row => {
    const spread = days > 1 ? `last used on ${count(days)} days, from ${since}` : `last used on ${since}`;
    return [`  ${title} `, `${plural(all, 'session')}, ${spread}`];
  });
  const titles = assistants.map(({ title }) => title).join(', ');
  const none = `none was found. memd knows ${titles}. Run this again when you have one.`;
  return [
    ...[io.style('bold', 'memd setup'), `  ${printable(root)}`, ''],
    ...[
      'Assistants on this machine',
      changes.length === 0 ? wrap(none, io.columns, '  ') : rowLines(changes, io),
      '',
    ],
    'Earlier sessions of this project, to import',
    earlier.length === 0 ? '  none' : rowLines(earlier, io),
    ...notes.map((note) => io.style('yellow', wrap(printable(note), io.columns, '  '))),
  ].join('\n');
}

function changeWords({ plan, hasPlugin, problem }: Candidate, io: Io): string {
  if (hasPlugin) return "memd's plugin records it already";
  if (plan === null) return inHome(`cannot be changed: ${problem}`, io);
  const files = preview(plan).filter(({ action }) => action !== 'unchanged');
  if (files.length === 0) return 'connected already';
  const places = files.map(
    ({ file, action }) => `${inHome(file, io)}${action === 'created' ? ' (new)' : ''}`,
  );
  return `${partWords(plan)} in ${places.join(' and ')}`;
}

type Earlier = Awaited<ReturnType<typeof earlierSessions>>;

/** What the assistants have recorded of this project, and what they are about to remove. */
async function earlierSessions({ root }: Workspace, { env }: Io) {
  const {
    transcripts,
    notes = [],
    unreadable,
    close,
  } = await transcriptsOf({ root, home: homeOf(env), env });
  close?.();
  const own = transcripts.filter(
    ({ name, ms, startedBy }) =>
      ms > 0 && startedBy === undefined && !path.basename(name).startsWith('agent-'),
  );
  const sessions = assistants.flatMap(({ name, title }) => {
    const days = own
      .filter(({ client }) => client === name)
      .map(({ ms }) => dateWords(new Date(ms)))
      .sort();
    const [since] = days;
    if (since === undefined) return [];
    return [{ client: name, title, sessions: days.length, days: new Set(days).size, since }];
  });
  return { sessions, notes: [...notes, ...unreadable] };
}

/** What the memory holds now, and questions that it can answer. */
async function foundIn(workspace: Workspace, io: Io) {
  const store = openStoreReadOnly(workspace.database);
  if (store === null) return { memories: 0, questions: [], first: [] };
  const { asked, memories } = await onStore(store, () => {
    const accounts = new SessionAccounts(store);
    const rows = new OutlineReads(store).sessions(sessionsReadMax);
    const own = rows
      .map(({ sessionId }) => [sessionId, accounts.of(sessionId)] as const)
      .flatMap(([id, account]) => (account === null || account.isAgent ? [] : [[id, account] as const]));
    return { asked: questionsOf(own), memories: store.stats.counts().summaries };
  });
  const found: { readonly query: string; readonly hit: HitReply }[] = [];
  for (const { query, sessionId } of asked.slice(0, triedMax)) {
    if (found.length === questionsMax) break;
    const { hits } = await answer('search', { query, topK: answeredAt, places: true }, io);
    const hit = hits.find((one) => one.sessionId === sessionId && isAnswered(one, query));
    if (hit !== undefined) found.push({ query, hit });
  }
  // The answer that is shown is the first hit of its question, where one is.
  found.sort((one, other) => one.hit.rank - other.hit.rank);
  return {
    memories,
    questions: found.map(({ query }) => query),
    first: found.slice(0, 1).map(({ hit }) => hit),
  };
}

/** Whether most words of a question stand in what its answer shows. */
function isAnswered({ text, passage = '' }: HitReply, query: string): boolean {
  const shown = `${text} ${passage}`.toLowerCase();
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const sought = words.filter((word) => !/^(?:what|fixed|change)$/.test(word));
  return sought.length === 0 || sought.filter((word) => shown.includes(word)).length * 2 > sought.length;
}

function foundText(
  { memories, questions, first }: Awaited<ReturnType<typeof foundIn>>,
  hasAssistants: boolean,
  io: Io,
): string {
  const [asked = 'what did we do today', ...others] = questions;
  const lines = (queries: readonly string[]): string[] =>
    queries.map((query) => `  ${io.style('bold', `mem search "${query}"`)}`);
  const amount = `\nThe memory of this project has ${plural(memories, 'memory')}.`;
  if (questions.length === 0 && !hasAssistants)
    return `${amount}\nNothing is recorded until an assistant is connected.`;
  return [
    amount,
    questions.length === 0 ? 'After your next session, try:' : 'Ask it, for instance:',
    ...lines([asked]),
    ...(first.length === 0 ? [] : ['', hitsLines(first, asked, io, answerLinesMax), '']),
    ...(others.length === 0 ? [] : ['Or:', ...lines(others)]),
  ].join('\n');
}

/** @throws InvalidArgumentError, which is exit 2 */
function namedAssistants(list: string): Assistant[] {
  const names = list.split(/[\s,]+/).filter(Boolean);
  if (names.length === 0) throw new InvalidArgumentError('Name at least one assistant.');
  return names.map(assistantNamed);
}
