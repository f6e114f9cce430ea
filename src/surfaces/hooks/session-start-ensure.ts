import fs from 'node:fs';
import path from 'node:path';
import { pingTimeoutMs, restartClaimMs } from '#core/limits';
import {
  errorCode,
  listensUnchecked,
  lstatIfThere,
  messageOf,
  polled,
  removeIfThere,
  runOwn,
  withRepair,
} from '#core/platform';
import { type Health, ping } from '#core/rpc';
import { daemonPid, ensureFolders, type Workspace } from '#core/workspace';
import { daemonEnvironment } from './bring-back.ts';
import type { Attempts } from './session-start-attempts.ts';

export interface StartTools {
  readonly attempts: Attempts;
  /** The script `memd`. */
  readonly program: URL;
}

export interface Ensured {
  readonly answers: boolean;
  /** One line for the user: what failed and what to do, or what was done. */
  readonly note: string | null;
}

/**
 * Makes sure that the workspace's daemon answers; `health` comes from a first ping. A daemon that does not run is started. One that stays
 * silent, or whose socket was removed, is restarted. Both are done by `memd`, which checks a process before it signals it. After several
 * failures in a short time nothing is tried for a while.
 */
export async function ensureDaemon(
  workspace: Workspace,
  health: Health,
  tools: StartTools,
): Promise<Ensured> {
  const { attempts } = tools;
  const settled = health === 'silent' ? await notSilent(workspace) : health;
  if (settled === 'ok') {
    attempts.clear();
    return { answers: true, note: null };
  }
  const refused = attempts.refusal(Date.now());
  if (refused !== null) return { answers: false, note: refused };
  try {
    ensureFolders(workspace);
  } catch (error) {
    return { answers: false, note: messageOf(error) };
  }
  const isUnchecked = settled === 'absent' && hasLostSocket(workspace);
  return settled === 'absent' && !isUnchecked
    ? start(workspace, tools)
    : restart(workspace, tools, isUnchecked);
}

/** Whether the daemon runs and its socket file is missing. */
function hasLostSocket(workspace: Workspace): boolean {
  return listensUnchecked(daemonPid(workspace) ?? 0, workspace.socket);
}

/**
 * Pings a silent daemon again. A slow one answers, and one that is stopping ends; neither may be ended from here. One that hangs stays
 * silent for the time of two pings.
 */
function notSilent({ socket }: Workspace): Promise<Health> {
  return polled(
    () => ping(socket),
    (health) => health !== 'silent',
    pingTimeoutMs,
  );
}

async function start(workspace: Workspace, tools: StartTools): Promise<Ensured> {
  const trouble = await attempted(workspace, tools, 'start');
  if (trouble !== null) return { answers: false, note: `the daemon is not running: ${trouble}` };
  const note = fs.existsSync(workspace.config)
    ? null
    : 'capture works. Summaries need a local model, or your consent to the builtin summariser. Run `memd init`.';
  return { answers: true, note };
}

/** Has `memd start` replace an older daemon by one of this version; one line for the user if that fails, else null. */
export async function replaceOlder(workspace: Workspace, tools: StartTools): Promise<string | null> {
  const trouble = await attempted(workspace, tools, 'start');
  return trouble === null ? null : `the daemon is of an older version and was not replaced: ${trouble}`;
}

/** Only one of several sessions ends a hanging daemon; else each would end the one that another has just started. */
async function restart(workspace: Workspace, tools: StartTools, isUnchecked: boolean): Promise<Ensured> {
  const claim = claimRestart(workspace);
  if (claim === null) {
    const health = await polled(
      () => ping(workspace.socket),
      (one) => one === 'ok',
      restartClaimMs,
    );
    const answers = health === 'ok';
    return {
      answers,
      note: answers ? null : 'the daemon hangs, and another session restarts it. Run `memd doctor`.',
    };
  }
  try {
    const trouble = await attempted(workspace, tools, 'restart');
    if (trouble !== null) return { answers: false, note: `the daemon hangs: ${trouble}` };
    // A daemon that hangs again and again is not restarted at every session.
    const reason = isUnchecked ? 'the daemon had lost its socket' : 'the daemon hung';
    tools.attempts.noteWhileUp(reason, Date.now());
    return { answers: true, note: `${reason} and was restarted. Your data is safe.` };
  } finally {
    claim.release();
  }
}

/** Runs the command; notes and returns its failure, or null. */
async function attempted(
  { root }: Workspace,
  { attempts, program }: StartTools,
  verb: 'start' | 'restart',
): Promise<string | null> {
  const running = runOwn(program, verb, { cwd: root, env: daemonEnvironment() });
  // No process left.
  const trouble = await running.catch(withRepair);
  if (trouble !== null) attempts.note(trouble, Date.now());
  return trouble;
}

/**
 * The right to restart this workspace's daemon, or null while another session has it: a file that only one session can create. A file
 * that is older than `restartClaimMs` does not count.
 */
export function claimRestart({ folder }: Pick<Workspace, 'folder'>) {
  const file = path.join(folder, 'session-start.claim');
  for (const isLast of [false, true]) {
    try {
      fs.closeSync(fs.openSync(file, 'wx', 0o600));
      return { release: () => removeIfThere(file) };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      const madeAt = lstatIfThere(file)?.mtimeMs ?? 0;
      // A file's time has parts of a millisecond, so a new one may lie ahead of the clock.
      const age = Math.abs(Date.now() - madeAt);
      if (isLast || age < restartClaimMs) return null;
      removeIfThere(file);
    }
  }
  return null;
}
