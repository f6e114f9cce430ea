import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pollIntervalMs, startTimeoutMs } from '../../core/limits.ts';
import { Failure, listensUnchecked, lstatIfThere } from '../../core/platform/index.ts';
import { ping } from '../../core/rpc/index.ts';
import { isOlder } from '../../core/version.ts';
import { daemonPid, type Environment, ensureFolders, type Workspace } from '../../core/workspace/index.ts';
import { notStarted, watchBeginning } from './beginning.ts';
import { daemonArguments } from './daemon-process.ts';
import { delay } from './delay.ts';
import { isLocked } from './locked.ts';
import { type Running, retireOlder } from './retire.ts';
import type { LastWord, StartMessage } from './start-message.ts';

// A daemon whose socket was removed has made a new one by then.
const lostSocketMs = 6_500;

export interface Started {
  readonly outcome: 'started' | 'running';
  readonly pid: number | null;
  /** What the user should know: a stale socket that was removed, an unknown setting. */
  readonly notes: readonly string[];
}

/** The daemon's program. */
export interface Program {
  readonly script: URL;
  /** Of this program and its daemon. */
  readonly version: string;
  /** Told while the start waits for something. */
  readonly note?: (message: string) => void;
  /** How long its process may take until it runs our code. */
  readonly patienceMs?: number;
}

/**
 * Makes sure that a daemon answers for this workspace, starting one detached when none does. Any number of
 * callers at once end with one daemon: the losers of the race wait until the winner answers. One of an older version is
 * replaced, one of a newer left alone: two programs side by side do not end each other's in turn.
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
        // Who answers may be the one that is to go, or on its way out: it is looked at anew.
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

/** A restart would end it for an older one, which may not read what it has written. */
function newerNote({ version }: Running, own: string): string {
  return `the daemon that runs is of the newer version ${version} and is left alone; this is ${own}: update it`;
}

/** Runs the daemon in a session of its own, its working directory its own folder, and waits for its last word. */
function spawnDaemon(workspace: Workspace, env: Environment, program: Program): Promise<LastWord> {
  const child = forked(workspace, env, program.script);
  const beginning = watchBeginning(child, program.patienceMs);
  let timer: NodeJS.Timeout | undefined;
  return new Promise<LastWord>((resolve, reject) => {
    let last: LastWord | null = null;
    timer = setTimeout(() => {
      // One that has not begun is ended by now.
      if (!beginning.hasBegun) return;
      const what = `the daemon (pid ${child.pid}) did not say that it is ready in time`;
      const repair = `its log says why: ${workspace.daemonLog}`;
      reject(new Failure('start_timeout', what, { safe: 'nothing is lost', repair }));
    }, startTimeoutMs);
    child.on('message', (message) => {
      // Only our own daemon speaks on this channel.
      const told = message as StartMessage;
      if (told.kind === 'begun') return;
      if (told.kind === 'waiting') {
        program.note?.(told.message);
        return;
      }
      last = told;
      // One that does not stay is waited for: who is told that nothing was started finds nothing running.
      if (told.kind === 'ready') resolve(told);
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
      // glibc gives every thread an arena of its own, and each keeps what it once had: 3 MiB of an empty daemon's memory.
      env: { MALLOC_ARENA_MAX: '2', ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  } catch (error) {
    throw notStarted(error);
  }
}

/**
 * True when the lock's holder answers, false when it has gone.
 * @throws Failure `hung` when it does neither, also when nobody can reach it because its socket is gone
 */
async function winnerAnswers(workspace: Workspace, deadline: number): Promise<boolean> {
  let silences = 0;
  let seenAt = performance.now();
  while (performance.now() < deadline) {
    const health = await ping(workspace.socket);
    if (health === 'ok') return true;
    if (!isLocked(workspace)) return false;
    // One that is ending may hang up once without an answer; one that hangs stays silent.
    silences = health === 'silent' ? silences + 1 : 0;
    if (silences === 2) break;
    // One that works makes a new socket by itself, in less than that.
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
      ? `the daemon (pid ${pid}) lives, but its socket ${socket} is not there`
      : `socket path in use ${socket} (pid ${pid}): the daemon lives but does not answer`;
  return new Failure('hung', what, {
    safe: 'what it has acknowledged is on the disk',
    repair: '`memd restart` ends it and starts anew',
  });
}
