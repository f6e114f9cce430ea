import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pingTimeoutMs, pollIntervalMs, restartClaimMs } from '../../core/limits.ts';
import { lastWords, listensUnchecked, messageOf, withRepair } from '../../core/platform/index.ts';
import { type Health, ping } from '../../core/rpc/index.ts';
import { daemonPid, ensureFolders, type Workspace } from '../../core/workspace/index.ts';
import { daemonEnvironment } from './daemon-environment.ts';
import type { Attempts } from './session-start-attempts.ts';
import { claimRestart } from './session-start-claim.ts';

export interface Means {
  readonly attempts: Attempts;
  /** The script `memd`. */
  readonly program: URL;
}

export interface Ensured {
  readonly answers: boolean;
  /** One line for the person: what is wrong and how to mend it, or what was done. Null: nothing worth a word. */
  readonly said: string | null;
}

/**
 * Makes sure that the workspace's daemon answers, `health` being what a first ping found. One that is away is started, one that
 * stays silent, or that nobody can reach because its socket was removed, is ended and started anew; both by `memd` itself, which
 * proves before it signals. After failures that follow each other closely nothing is tried for a while.
 */
export async function ensureDaemon(workspace: Workspace, health: Health, means: Means): Promise<Ensured> {
  const { attempts } = means;
  const settled = health === 'silent' ? await notSilent(workspace) : health;
  if (settled === 'ok') {
    attempts.clear();
    return { answers: true, said: null };
  }
  const refused = attempts.refusal(Date.now());
  if (refused !== null) return { answers: false, said: refused };
  try {
    ensureFolders(workspace);
  } catch (error) {
    return { answers: false, said: messageOf(error) };
  }
  const isUnchecked = settled === 'absent' && hasLostSocket(workspace);
  return settled === 'absent' && !isUnchecked
    ? start(workspace, means)
    : restart(workspace, means, isUnchecked);
}

/** Whether its daemon lives and listens on a socket whose file is gone. */
function hasLostSocket(workspace: Workspace): boolean {
  return listensUnchecked(daemonPid(workspace) ?? 0, workspace.socket);
}

/**
 * What a silent daemon turns out to be: one that is slow answers in the end, one that is about to end is gone; neither may be ended
 * by us. One that hangs is silent for as long as two pings wait.
 */
async function notSilent(workspace: Workspace): Promise<Health> {
  const deadline = performance.now() + pingTimeoutMs;
  for (;;) {
    const health = await ping(workspace.socket);
    if (health !== 'silent' || performance.now() >= deadline) return health;
    await pause(pollIntervalMs);
  }
}

async function start(workspace: Workspace, means: Means): Promise<Ensured> {
  const trouble = await attempted(workspace, means, 'start');
  if (trouble !== null) return { answers: false, said: `the daemon is not running: ${trouble}` };
  const said = fs.existsSync(workspace.config)
    ? null
    : 'it captures now; summaries need a local model, or your word for the builtin summariser. Run: memd init';
  return { answers: true, said };
}

/** Has `memd start` put this version's daemon in the place of an older one; one line for the person when that fails, else null. */
export async function replaceOlder(workspace: Workspace, means: Means): Promise<string | null> {
  const trouble = await attempted(workspace, means, 'start');
  return trouble === null ? null : `the daemon is of an older version and was not replaced: ${trouble}`;
}

/** Of several sessions that find it hanging one ends it; else each would end what another has just started. */
async function restart(workspace: Workspace, means: Means, isUnchecked: boolean): Promise<Ensured> {
  const claim = claimRestart(workspace);
  if (claim === null) {
    const answers = await answersSoon(workspace);
    return { answers, said: answers ? null : 'the daemon hangs, and is being restarted. Run: memd doctor' };
  }
  try {
    const trouble = await attempted(workspace, means, 'restart');
    if (trouble !== null) return { answers: false, said: `the daemon hangs: ${trouble}` };
    // One that hangs again and again is not restarted at every session for ever.
    means.attempts.noteWhileUp(
      isUnchecked ? 'the daemon had lost its socket' : 'the daemon hung',
      Date.now(),
    );
    const said = isUnchecked
      ? 'the daemon had lost its socket and was restarted; nothing that it had acknowledged is lost'
      : 'the daemon hung and was restarted; nothing that it had acknowledged is lost';
    return { answers: true, said };
  } finally {
    claim.release();
  }
}

/** Runs the command; what it says of its failure, which is noted, or null. */
async function attempted(
  { root }: Workspace,
  { attempts, program }: Means,
  verb: 'start' | 'restart',
): Promise<string | null> {
  const trouble = await run(program, verb, root);
  if (trouble !== null) attempts.note(trouble, Date.now());
  return trouble;
}

/** A process of its own: what starts a daemon would cost every session more than all the rest of this hook. */
async function run(program: URL, verb: string, cwd: string): Promise<string | null> {
  const { spawn } = await import('node:child_process');
  let child: ChildProcess;
  try {
    child = spawn(process.execPath, [fileURLToPath(program), verb], {
      cwd,
      env: daemonEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    return withRepair(error);
  }
  // A Node.js that hangs would stay for ever. The daemon is not its child any more, and goes on.
  process.once('exit', () => child.kill('SIGKILL'));
  return new Promise((resolve) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    child.once('error', (error) => resolve(withRepair(error)));
    child.once('close', (code, signal) => {
      resolve(code === 0 ? null : lastWords(`memd ${verb}`, said, signal));
    });
  });
}

async function answersSoon(workspace: Workspace): Promise<boolean> {
  const deadline = performance.now() + restartClaimMs;
  while (performance.now() < deadline) {
    if ((await ping(workspace.socket)) === 'ok') return true;
    await pause(pollIntervalMs);
  }
  return false;
}
