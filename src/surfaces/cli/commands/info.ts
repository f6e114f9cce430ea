import { jsonText } from '#core/event';
import { Failure, lstatIfThere, messageOf, sentence } from '#core/platform';
import type { Info, Used } from '#service/info';
import { ask, hangs, noMemory, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { type Row, rowLines, rowOf } from '../show.ts';
import { stateOf } from '../show-state.ts';
import { count, duration, plural, printable } from '../words.ts';

export const infoCommand: AddCommand = (program, io) => {
  command(program, 'info', 'show the state of the daemon and the memory', ['memd info', 'memd info --json'])
    // As git and docker call it.
    .alias('status')
    .action(async ({ json }: { json?: boolean }) => {
      const { info, repair } = await currentInfo(io);
      io.out(json ? jsonText(info, 2) : describe(info, io, repair));
      if (!info.daemon.reachable) throw new Unsuccessful();
    });
};

export async function currentInfo(io: Io): Promise<{ info: Info; repair: string }> {
  const workspace = workspaceOf(io);
  try {
    const reply = await ask(workspace, { op: 'info' });
    // The daemon and this command share the shape; one of an earlier version does not say who recorded.
    const known = reply.info as unknown as Omit<Info, 'recorded' | 'connected'>;
    return { info: { recorded: null, connected: [], ...known }, repair: '' };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unreachable') throw error;
    // Loaded only without a daemon, since it reads the database.
    const { offlineInfo } = await import('#service/info');
    const isNone = lstatIfThere(workspace.folder) === null;
    const why = hangs(error) ? `${sentence(messageOf(error.cause))} ` : '';
    const words = isNone ? noMemory(workspace, io).message : `${why}${sentence(error.repair ?? '')}`;
    const repair = sentence(words);
    return { info: offlineInfo(workspace, io.env), repair };
  }
}

function describe(info: Info, io: Io, repair: string): string {
  const { daemon, backends, workspace } = info;
  const { rows, next } = stateOf(info, workspaceOf(io), io);
  const running = `${io.style('green', 'running')}, pid ${daemon.pid}, up ${duration(daemon.uptimeSec ?? 0)}`;
  const warned = (text: string): string => io.style('yellow', printable(text));
  const known = (text: string | null): string => printable(text ?? 'not known yet');
  const ifReachable = (...row: Row): readonly Row[] => (daemon.reachable ? [row] : []);
  const lines: readonly Row[] = [
    ['root', printable(workspace.root)],
    ['namespace', workspace.namespace],
    ...ifReachable('daemon', running),
    ...rowOf('page', info.http && `${info.http.url}/  (open it with: memd web)`),
    ...rows,
    ...countRows(info, io),
    ...ifReachable('drain', known(backends.drainError ?? backends.drain)),
    ...rowOf('', backends.drainHint && warned(backends.drainHint)),
    ...ifReachable('embedder', known(backends.embedder)),
    ...info.usage.flatMap((use) => rowOf('used', printable(spentWords(use)))),
    ...rowOf('budget', info.budget && budgetWords(info.budget)),
    ['focus', info.focus === null ? 'none' : printable(info.focus)],
    ...receiptRows(info.receipts),
    ['scope', scopeWords(info.scope, io)],
    ...info.warnings.flatMap((warning) => rowOf('warning', warned(warning))),
    ...ifReachable('next', next),
  ];
  return [
    io.style('bold', `memd ${info.version} · ${workspace.key}`),
    ...(daemon.reachable ? [] : [`daemon: unreachable\n${rowLines([['', repair]], io, nameColumns)}`]),
    rowLines(lines, io, nameColumns),
  ].join('\n');
}

const nameColumns = 10;

/** One line while each event has its summary and its vector; else each count. */
function countRows({ counts, messages: isOn }: Info, io: Io): readonly Row[] {
  const { events, messages, raw, summarized, skipped, summaries, embeddings } = counts;
  const off = rowOf('messages', isOn ? null : io.style('yellow', messagesOff));
  if (events > 0 && [summarized, summaries, embeddings].every((one) => one === events))
    return [
      ['events', `${count(events)}, ${count(messages)} of them messages; all summarised, with vectors`],
      ...off,
    ];
  const failed = `${count(skipped)} skipped`;
  const parts = `${count(summarized)} summarized, ${count(raw)} raw, ${skipped > 0 ? io.style('yellow', failed) : failed}`;
  return [
    ['events', `${count(events)}: ${parts}`],
    ...(isOn ? rowOf('messages', count(messages)) : off),
    ['summaries', count(summaries)],
    ['embeddings', count(embeddings)],
  ];
}

/** What memory gave, then how much of it was used afterwards. */
function receiptRows(receipts: Info['receipts']): readonly Row[] {
  if (receipts === null || receipts.since === null) return [];
  const { outlines, recalls, tools, used, since } = receipts;
  const names = Object.entries(tools).map(([name, calls]) => `${name} ${count(calls)}`);
  const calls = Object.values(tools).reduce((sum, one) => sum + one, 0);
  const called = `${plural(calls, 'tool call')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
  const shares = [
    usedWords(used.commands, 'commands', 'run again'),
    usedWords(used.files, 'files', 'opened'),
    usedWords(used.hits, 'memories', 'read as a whole'),
  ].filter((words) => words !== '');
  return [
    [
      'given',
      `${plural(outlines, 'outline')}, ${plural(recalls, 'recall')}, ${called} since ${since.slice(0, 10)}`,
    ],
    ...shares.map((words, at) => [at === 0 ? 'used after' : '', words] as const),
  ];
}

/** `12 of 40 commands run again` */
function usedWords({ given, used }: Used, what: string, done: string): string {
  return given === 0 ? '' : `${count(used)} of ${count(given)} ${what} ${done}`;
}

const messagesOff = 'off: neither prompts nor replies are stored (capture.messages is false)';

function scopeWords(scope: Info['scope'], io: Io): string {
  if (scope.state === 'off') return 'off';
  if (scope.state === 'invalid')
    return io.style('red', printable(`.memd/scope.json is NOT in force: ${scope.error}`));
  const globs = (of: readonly string[] | undefined): string => printable((of ?? []).join(' '));
  const allow = scope.allow === undefined ? 'everything' : globs(scope.allow) || 'nothing';
  return `assistants may write ${allow}${scope.deny?.length ? ` except ${globs(scope.deny)}` : ''}`;
}

/** `claude-haiku-4-5 today: 3 calls, 12,345 tokens in, 678 out, $0.0158` */
function spentWords(use: Info['usage'][number]): string {
  const tokens = `${count(use.inputTokens)} tokens in, ${count(use.outputTokens)} out`;
  const words = `${use.model} today: ${plural(use.calls, 'call')}, ${tokens}`;
  if (use.backend !== 'hosted') return words;
  return `${words}, ${use.costUsd === null ? 'price unknown' : dollars(use.costUsd)}`;
}

function budgetWords({ dailyTokens, remainingTokens }: NonNullable<Info['budget']>): string {
  return `${count(remainingTokens)} of ${count(dailyTokens)} tokens left until 00:00 UTC`;
}

function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}
