import type { JsonObject } from '../../core/event/index.ts';
import { requestTimeoutMs } from '../../core/limits.ts';
import { Failure } from '../../core/platform/index.ts';
import { type CallOptions, call } from '../../core/rpc/index.ts';
import { version } from '../../core/version.ts';
import { findWorkspace, isComingBack, type Workspace } from '../../core/workspace/index.ts';
import type { Started } from '../../service/lifecycle/index.ts';
import type { Io } from './io.ts';

const daemonScript = new URL('./daemon.cjs', import.meta.url);

/** The workspace that the command was called in. */
export function workspaceOf(io: Io): Workspace {
  return findWorkspace(io.env, io.cwd);
}

/** Starts the daemon unless one answers, and tells what there is to know about it. */
export async function ensureDaemon(workspace: Workspace, io: Io): Promise<Started> {
  // Most commands only ask: what takes locks and starts processes is loaded when it is needed.
  const { startDaemon } = await import('../../service/lifecycle/index.ts');
  const started = await startDaemon(workspace, io.env, {
    script: daemonScript,
    version,
    note: (message) => io.note(`memd: ${message}`),
  });
  for (const note of started.notes) io.note(`memd: ${note}`);
  return started;
}

/** Asks the daemon; one that hangs is given up by a ping. @throws Failure `unreachable` with what to do when none answers */
export async function ask(
  workspace: Workspace,
  message: JsonObject,
  options: Partial<CallOptions> = {},
): Promise<JsonObject> {
  try {
    return await call(workspace.socket, message, {
      timeoutMs: requestTimeoutMs,
      pingFirst: true,
      ...options,
    });
  } catch (error) {
    if (!(error instanceof Failure) || ![...gone, ...hanging].includes(error.code)) throw error;
    throw new Failure('unreachable', `daemon: unreachable (${error.message})`, {
      ...(error.code === 'closed' ? { safe: 'what was asked may have been done' } : {}),
      repair: gone.includes(error.code) ? 'run: memd start' : 'run: memd restart',
      cause: error,
    });
  }
}

/** The codes of `call` where nobody is there, or not any more, and where somebody listens and does not answer. */
const gone = ['unreachable', 'closed'];
const hanging = ['silent', 'timeout'];

/** Whether `ask` failed because somebody listens there and does not answer. */
export function hangs(failure: Failure): boolean {
  return failure.cause instanceof Failure && hanging.includes(failure.cause.code);
}

/** `ask`, after bringing back a daemon that has left because it was idle; not one that was stopped. @throws Failure `unreachable` */
export async function askAwake(workspace: Workspace, io: Io, message: JsonObject): Promise<JsonObject> {
  try {
    return await ask(workspace, message);
  } catch (error) {
    const isAway = error instanceof Failure && error.code === 'unreachable';
    if (!isAway || !(await wake(workspace, io))) throw error;
    return await ask(workspace, message);
  }
}

/** Brings back a daemon that has left because it was idle; whether it had, and answers now. */
export async function wake(workspace: Workspace, io: Io): Promise<boolean> {
  if (!isComingBack(workspace)) return false;
  await ensureDaemon(workspace, io);
  return true;
}

export { daemonScript };
