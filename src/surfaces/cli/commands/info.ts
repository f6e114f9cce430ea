import { jsonText } from '../../../core/event/index.ts';
import { Failure, sentence } from '../../../core/platform/index.ts';
import type { Info, Used } from '../../../service/info/index.ts';
import { ask, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { count, duration, plural, printable } from '../words.ts';

export const infoCommand: AddCommand = (program, io) => {
  command(program, 'info', 'show the state of the daemon and the memory', [
    'memd info',
    'memd info --json',
  ]).action(async ({ json }: { json?: boolean }) => {
    const { info, repair } = await currentInfo(io);
    io.out(json ? jsonText(info, 2) : describe(info, io, repair));
    if (!info.daemon.reachable) throw new Unsuccessful();
  });
};

async function currentInfo(io: Io): Promise<{ info: Info; repair: string }> {
  const workspace = workspaceOf(io);
  try {
    const reply = await ask(workspace, { op: 'info' });
    // The daemon and this command share the shape.
    return { info: reply.info as unknown as Info, repair: '' };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unreachable') throw error;
    // Loaded only without a daemon, since it reads the database.
    const { offlineInfo } = await import('../../../service/info/index.ts');
    return { info: offlineInfo(workspace), repair: sentence(error.repair ?? '') };
  }
}

function describe(info: Info, io: Io, repair: string): string {
  const { counts, daemon, backends, workspace } = info;
  const row = (name: string, text: string): string => `${io.style('dim', name.padEnd(10))} ${text}`;
  const daemonLine = daemon.reachable
    ? row(
        'daemon',
        `${io.style('green', 'running')}, pid ${daemon.pid}, up ${duration(daemon.uptimeSec ?? 0)}`,
      )
    : `daemon: unreachable\n           ${repair}`;
  const skipped = `${count(counts.skipped)} skipped`;
  return [
    io.style('bold', `memd ${info.version} · ${workspace.key}`),
    row('root', printable(workspace.root)),
    row('namespace', workspace.namespace),
    daemonLine,
    ...(info.http === null ? [] : [row('page', `${info.http.url}/  (open it with: memd web)`)]),
    row(
      'events',
      `${count(counts.events)}: ${count(counts.summarized)} summarized, ${count(counts.raw)} raw, ${counts.skipped > 0 ? io.style('yellow', skipped) : skipped}`,
    ),
    row('messages', info.messages === false ? io.style('yellow', messagesOff) : count(counts.messages ?? 0)),
    row('summaries', count(counts.summaries)),
    row('embeddings', count(counts.embeddings)),
    ...(daemon.reachable
      ? [row('drain', printable(backends.drainError ?? backends.drain ?? 'not known yet'))]
      : []),
    ...(backends.drainHint === null ? [] : [row('', io.style('yellow', printable(backends.drainHint)))]),
    ...(daemon.reachable ? [row('embedder', printable(backends.embedder ?? 'not known yet'))] : []),
    ...info.usage.map((use) => row('used', printable(spentWords(use)))),
    ...(info.budget === null ? [] : [row('budget', budgetWords(info.budget))]),
    row('focus', info.focus === null ? 'none' : printable(info.focus)),
    ...receiptRows(info.receipts).map(([name, text]) => row(name, text)),
    row('scope', scopeWords(info.scope, io)),
    ...info.warnings.map((warning) => row('warning', io.style('yellow', printable(warning)))),
  ].join('\n');
}

/** What memory gave, then how much of it was used afterwards. */
function receiptRows(receipts: Info['receipts']): readonly (readonly [string, string])[] {
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
  if (scope.state === 'invalid') {
    return io.style('red', printable(`.memd/scope.json is NOT in force: ${scope.error}`));
  }
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
