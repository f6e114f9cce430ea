import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pollIntervalMs, startTimeoutMs } from '#core/limits';
import { Failure, listensUnchecked, lstatIfThere } from '#core/platform';
import { ping } from '#core/rpc';
import { daemonPid, type Environment, ensureFolders, type Workspace } from '#core/workspace';
import { isOlder } from '../../core/version.ts';
import { notStarted, watchBeginning } from './beginning.ts';
import { daemonArguments, isLocked } from './daemon-process.ts';
import { type Running, retireOlder } from './retire.ts';

// By then a daemon whose socket was removed has made a new one.
const lostSocketMs = 6_500;

export interface Started {
  readonly outcome: 'started' | 'running';
  readonly pid: number | null;
  /** For the user: a removed stale socket, an unknown setting. */
  readonly notes: readonly string[];
}

/** The daemon's program. */
export interface Program {
  readonly script: URL;
  readonly version: string;
  /** Takes messages while the start waits. */
  readonly note?: (message: string) => void;
  /** How long Node.js may take until it runs the daemon's code. */
  readonly beginTimeoutMs?: number;
}

/**
 * Makes sure that a daemon answers for this workspace; starts a detached one if none does. Simultaneous callers end with one daemon:
 * the others wait until it answers. A daemon of an older version is replaced; a newer one is not, so that two versions do not end each
 * other in turn.
 * @throws Failure with cause and repair
 */
export async function startDaemon(
  workspace: Workspace,
  env: Environment,
  program: Program,
): Promise<Started> {
  ensureFolders(workspace);
  const deadline = performance.now() + startTimeoutMs;
  const notes: string[] = [];
  for (;;) {
    if ((await ping(workspace.socket)) === 'ok') {
      const met = await retireOlder(workspace, program.version);
      if (met.outcome === 'stays') return running(workspace, met.running, program.version);
      if (met.outcome === 'retired') notes.push(retiredNote(met.running, program.version));
    }
    const message = await spawnDaemon(workspace, env, program);
    switch (message.kind) {
      case 'ready':
        return { outcome: 'started', pid: message.pid, notes: [...notes, ...message.notes] };
      case 'failed':
        throw new Failure(message.code, message.message);
      case 'taken':
        // The daemon that answers may be stopping or too old: check again.
        await winnerAnswers(workspace, deadline);
    }
  }
}

function running(workspace: Workspace, found: Running | null, own: string): Started {
  const notes = found !== null && isOlder(own, found.version) === true ? [newerNote(found, own)] : [];
  return { outcome: 'running', pid: found?.pid ?? daemonPid(workspace), notes };
}

function retiredNote({ version, pid }: Running, own: string): string {
  return `the daemon of the older version ${version} (pid ${pid}) has stopped; this is ${own}`;
}

/** An older daemon may not read what a newer one has written. */
function newerNote({ version }: Running, own: string): string {
  return `the running daemon has the newer version ${version} and is not replaced; this is ${own}: update it`;
}

/** Runs the daemon detached, in its own folder, and waits for its final message. */
function spawnDaemon(workspace: Workspace, env: Environment, program: Program): Promise<FinalMessage> {
  const child = forked(workspace, env, program.script);
  const beginning = watchBeginning(child, program.beginTimeoutMs);
  let timer: NodeJS.Timeout | undefined;
  return new Promise<FinalMessage>((resolve, reject) => {
    let last: FinalMessage | null = null;
    timer = setTimeout(() => {
      // One that has not begun is ended already.
      if (!beginning.hasBegun) return;
      const what = `the daemon (pid ${child.pid}) was not ready in time`;
      const repair = `its log says why: ${workspace.daemonLog}`;
      reject(new Failure('start_timeout', what, { safe: 'nothing is lost', repair }));
    }, startTimeoutMs);
    child.on('message', (message) => {
      // Only the daemon writes to this channel.
      const received = message as StartMessage;
      if (received.kind === 'begun') return;
      if (received.kind === 'waiting') {
        program.note?.(received.message);
        return;
      }
      last = received;
      // For any other message wait until the process has ended, so that none runs when a failure is reported.
      if (received.kind === 'ready') resolve(received);
    });
    child.once('error', (error) => reject(notStarted(error)));
    // Not `exit`: that may come before the last message has been read.
    child.once('close', (code, signal) => {
      if (last === null) reject(beginning.ended(code, signal, workspace.daemonLog));
      else resolve(last);
    });
  }).finally(() => {
    clearTimeout(timer);
    if (child.connected) child.disconnect();
    child.removeAllListeners();
    child.unref();
  });
}

/** @throws Failure `start_failed` */
function forked(workspace: Workspace, env: Environment, script: URL): ChildProcess {
  try {
    return fork(fileURLToPath(script), daemonArguments(workspace), {
      cwd: workspace.folder,
      detached: true,
      // glibc gives each thread an arena that keeps freed memory: 3 MiB for an empty daemon.
      env: { MALLOC_ARENA_MAX: '2', ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  } catch (error) {
    throw notStarted(error);
  }
}

/**
 * Settles when the lock's holder answers, or has ended.
 * @throws Failure `hung` when it does neither, also when its socket is missing
 */
async function winnerAnswers(workspace: Workspace, deadline: number): Promise<void> {
  let silences = 0;
  let seenAt = performance.now();
  while (performance.now() < deadline) {
    const health = await ping(workspace.socket);
    if (health === 'ok' || !isLocked(workspace)) return;
    // A stopping daemon may close once without an answer; one that hangs stays silent.
    silences = health === 'silent' ? silences + 1 : 0;
    if (silences === 2) break;
    // A working daemon makes a new socket in less time.
    if (!listensUnchecked(daemonPid(workspace) ?? 0, workspace.socket)) seenAt = performance.now();
    else if (performance.now() - seenAt >= lostSocketMs) break;
    await delay(pollIntervalMs);
  }
  throw hung(workspace);
}

function hung(workspace: Workspace): Failure {
  const { socket } = workspace;
  const pid = daemonPid(workspace) ?? 'unknown';
  const what =
    lstatIfThere(socket) === null
      ? `the daemon (pid ${pid}) runs, but its socket ${socket} does not exist`
      : `socket path in use ${socket} (pid ${pid}): the daemon runs but does not answer`;
  return new Failure('hung', what, {
    safe: 'what it has acknowledged is on the disk',
    repair: 'run `memd restart`',
  });
}

/** The daemon's final message to its starter. */
export type FinalMessage = Exclude<StartMessage, { kind: 'begun' | 'waiting' }>;

/** Messages from a starting daemon to its starter, over an IPC channel. `begun` comes first; all but `waiting` are final. */
export type StartMessage =
  | { readonly kind: 'begun' }
  | { readonly kind: 'ready'; readonly pid: number; readonly notes: readonly string[] }
  | { readonly kind: 'taken' }
  | { readonly kind: 'waiting'; readonly message: string }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };
