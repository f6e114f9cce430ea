import fs from 'node:fs';
import path from 'node:path';
import { clientNames } from '../../core/event/index.ts';
import { Failure } from '../../core/platform/index.ts';
import type { Hook, Setup } from './assistant.ts';
import { quoted, unquoted } from './text/shell-words.ts';

// What an assistant waits for a hook of ours: beyond each hook's own budget, so that the hook's own words end it.
const captureHookTimeoutMs = 5_000;
const boundaryHookTimeoutMs = 5_000;
const recallHookTimeoutMs = 5_000;
const guardHookTimeoutMs = 5_000;
// Codex waits no longer at the end of a session, and complains of a hook that asks for more.
const pauseHookTimeoutMs = 3_000;
const sessionStartHookTimeoutMs = 20_000;

/** What the built programs offer as hooks, by the names of their files. */
export const hookPrograms = [
  'capture-observation',
  'boundary',
  'guard',
  'recall',
  'session-start',
  'session-pause',
] as const;
export type HookProgram = (typeof hookPrograms)[number];

/** One hook of ours, before a client's own form. */
export interface PlannedHook {
  readonly program: HookProgram;
  readonly event: string;
  /** The tools that it is for; all of them when there is none. */
  readonly matcher?: string;
  readonly words: readonly string[];
  readonly timeoutMs: number;
}

/** A client's own names for the moments that there are hooks for. */
export interface Events {
  readonly before: string;
  /** One or more: some clients tell of a failed call by an event of its own. */
  readonly after: readonly string[];
  readonly sessionStart: string | null;
  /** Those after which a session is cut or over. */
  readonly pause: readonly string[];
  /** Tools that cannot write, for a client whose matchers can say "all but these". */
  readonly allButReading?: string;
  readonly recall: readonly { readonly event: string; readonly matcher: string }[];
}

/** All hooks of ours for one client. @throws Failure for an option that this build or this client does not have */
export function plannedHooks(client: string, events: Events, setup: Setup): PlannedHook[] {
  const { options } = setup;
  const hook = (program: HookProgram, event: string, timeoutMs: number, ...more: string[]): PlannedHook => ({
    program,
    event,
    words: [setup.programs.node, programFile(setup, program), '--client', client, ...more],
    timeoutMs,
  });
  const reading = events.allButReading === undefined ? {} : { matcher: events.allButReading };
  const { guard } = options;
  return [
    ...(events.sessionStart === null
      ? []
      : [hook('session-start', events.sessionStart, sessionStartHookTimeoutMs)]),
    { ...hook('boundary', events.before, boundaryHookTimeoutMs), ...reading },
    ...(guard === null ? [] : [hook('guard', events.before, guardHookTimeoutMs, '--mode', guard)]),
    ...(options.recall ? recallHooks(client, events, hook) : []),
    ...events.after.map((event) => hook('capture-observation', event, captureHookTimeoutMs)),
    ...events.pause.map((event) => hook('session-pause', event, pauseHookTimeoutMs)),
  ];
}

function recallHooks(
  client: string,
  { recall }: Events,
  hook: (program: HookProgram, event: string, timeoutMs: number) => PlannedHook,
): PlannedHook[] {
  if (recall.length === 0) {
    throw new Failure('no_recall', `${client} has no hook by which it could be reminded`, {
      safe: 'nothing was changed',
      repair: 'run this again without --recall',
    });
  }
  return recall.map(({ event, matcher }) => ({ ...hook('recall', event, recallHookTimeoutMs), matcher }));
}

function programFile({ programs }: Setup, program: HookProgram): string {
  const file = path.join(programs.dist, `${program}.cjs`);
  if (program !== 'recall' || fs.existsSync(file)) return file;
  throw new Failure('no_recall', 'this memd has no recall hook', {
    safe: 'nothing was changed',
    repair: 'update memd, or run this again without --recall',
  });
}

/** One line for a client that hands it to a shell. What the capture hook answers is for nobody: some clients read it as an order. */
export function shellLine({ program, words }: PlannedHook): string {
  return `${quoted(words)}${program === 'capture-observation' ? ' >/dev/null' : ''}`;
}

/** In Claude Code's form of a hook, which others share: groups by matcher. `handler` is the client's own way to run it. */
export function grouped(hook: PlannedHook, handler: Readonly<Record<string, unknown>>): Hook {
  const matcher = hook.matcher === undefined ? {} : { matcher: hook.matcher };
  return { event: hook.event, value: { ...matcher, hooks: [{ type: 'command', ...handler }] } };
}

/** What a handler runs, when that is one of our hooks; null when it is somebody else's. */
export interface OwnHook {
  readonly program: HookProgram;
  readonly words: readonly string[];
  /** The two files that must be there for it to run. */
  readonly node: string;
  readonly script: string;
}

/**
 * A handler of a client's settings is ours when it runs a file named as one of our hooks, with an assistant's name as `--client` or
 * from a folder of a memd: whatever version, place or options it was written with.
 */
export function ownHook(handler: unknown): OwnHook | null {
  const words = wordsOf(handler);
  const at = words.findIndex((word) => programOf(word) !== null);
  const script = words[at];
  const program = script === undefined ? null : programOf(script);
  if (script === undefined || program === null) return null;
  const mark = words.indexOf('--client', at);
  const isMarked = mark !== -1 && knownClients.has(words[mark + 1] ?? '');
  const isPlaced = /(?:^|\/)memd[^/]*\/(?:.*\/)?dist\/[^/]+$/.test(script);
  return isMarked || isPlaced ? { program, words, node: words[at - 1] ?? '', script } : null;
}

const knownClients: ReadonlySet<string> = new Set(clientNames);

function programOf(word: string): HookProgram | null {
  const [, name] = /(?:^|\/)([a-z-]+)\.[cm]js$/.exec(word) ?? [];
  return hookPrograms.find((program) => program === name) ?? null;
}

/** The words that a handler runs: its argument list, or its line for a shell under any of the names that clients have for it. */
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
