import path from 'node:path';
import { type Events, type PlannedHook, unquoted } from '#assistants/form';
import { clientNames } from '#assistants/table';
import { Failure } from '#core/platform';
import type { Setup } from './part.ts';
import type { Programs } from './programs.ts';

// How long an assistant waits for a hook: longer than the hook's own budget, so that the hook ends with its own message.
const hookTimeoutMs = 5_000;
const sessionStartTimeoutMs = 20_000;
// At the end of a session Codex allows no more.
const pauseTimeoutMs = 3_000;

/** The hooks of this build, by the names of their files. */
export const hookPrograms = [
  'capture-observation',
  'boundary',
  'guard',
  'recall',
  'session-start',
  'session-pause',
] as const;
type HookProgram = (typeof hookPrograms)[number];

/** All hooks for one client. @throws Failure `no_recall` if the client has no event for it */
export function plannedHooks(client: string, events: Events, setup: Setup): PlannedHook[] {
  const { programs, options } = setup;
  const { guard, recall } = options;
  const hook = (program: HookProgram, event: string, ...more: string[]): PlannedHook => ({
    program,
    event,
    words: [...starting(program, programs), '--client', client, ...more],
    timeoutMs: hookTimeoutMs,
  });
  if (recall && events.recall.length === 0)
    throw new Failure('no_recall', `${client} has no event for recall`, {
      safe: 'nothing was changed',
      repair: 'run it again without --recall',
    });
  const matcher = events.allButReading === undefined ? {} : { matcher: events.allButReading };
  return [
    { ...hook('session-start', events.sessionStart), timeoutMs: sessionStartTimeoutMs },
    { ...hook('boundary', events.before), ...matcher },
    ...(guard === null ? [] : [hook('guard', events.before, '--mode', guard)]),
    ...(recall ? events.recall.map((one) => ({ ...hook('recall', one.event), matcher: one.matcher })) : []),
    ...events.after.map((event) => hook('capture-observation', event)),
    ...events.said.map((event) => ({ ...hook('capture-observation', event), isMessage: true })),
    ...events.pause.map((event) => ({ ...hook('session-pause', event), timeoutMs: pauseTimeoutMs })),
  ];
}

const shell = '/bin/sh';

/** The capture hook, which runs most often, is a script of the shell, and starts Node only where the daemon does not answer. */
function starting(program: HookProgram, { node, dist }: Setup['programs']): string[] {
  if (program === 'capture-observation') return [shell, path.join(dist, `${program}.sh`), node];
  return [node, path.join(dist, `${program}.cjs`)];
}

/** The Node program in the words of a hook of ours. */
export function nodeIn([program = '', , node = '']: readonly string[]): string {
  return program === shell ? node : program;
}

/** What one of our hooks in a client's settings runs. */
export type OwnHook = NonNullable<ReturnType<typeof ownHook>>;

/**
 * A handler is ours if it runs a file named like one of our hooks, with a known name as `--client` or from a folder of a memd:
 * whatever version, folder or options it was written with. Null if it is not ours.
 */
export function ownHook(handler: unknown) {
  const words = wordsOf(handler);
  const at = words.findIndex((word) => programOf(word) !== null);
  const script = words[at] ?? '';
  const program = programOf(script);
  if (program === null) return null;
  const mark = words.indexOf('--client', at);
  const isMarked = mark !== -1 && clientNames.some((name) => name === words[mark + 1]);
  const isPlaced = /(?:^|\/)memd[^/]*\/(?:.*\/)?dist\/[^/]+$/.test(script);
  return isMarked || isPlaced ? { program, words } : null;
}

function programOf(word: string): HookProgram | null {
  const [, name] = /(?:^|\/)([a-z-]+)\.(?:[cm]js|sh)$/.exec(word) ?? [];
  return hookPrograms.find((program) => program === name) ?? null;
}

/** What a handler runs: its argument list, or its shell line under any of the names that clients use. */
export function wordsOf(handler: unknown): string[] {
  if (typeof handler !== 'object' || handler === null) return [];
  const { command, args, bash }: { command?: unknown; args?: unknown; bash?: unknown } = handler;
  if (Array.isArray(command)) return command.filter(isText);
  if (isText(command) && Array.isArray(args)) return [command, ...args.filter(isText)];
  const line = isText(command) ? command : bash;
  return isText(line) ? unquoted(line) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Our server's name in every client's settings. Clients derive the names of its tools from it. */
export const serverName = 'memd';

export function serverWords({ node, dist }: Programs): readonly [string, ...string[]] {
  return [node, path.join(dist, 'memd.cjs'), 'mcp'];
}

/** Whether an entry runs `memd mcp`, by any path. */
export function isOwnServer(entry: unknown): boolean {
  const words = wordsOf(entry);
  const [name = ''] = words.slice(-2);
  if (words.at(-1) === 'mcp' && /(?:^|\/)memd(?:\.[cm]js)?$/.test(name)) return true;
  return /\/dist\/mcp\.cjs$/.test(words.at(-1) ?? '');
}
