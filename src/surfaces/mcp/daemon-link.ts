import { randomUUID } from 'node:crypto';
import type { JsonObject } from '#core/event';
import { pingTimeoutMs, startTimeoutMs } from '#core/limits';
import { Failure, lstatIfThere, runOwn } from '#core/platform';
import { call } from '#core/rpc';
import { type Environment, findWorkspace, isComingBack, type Workspace } from '#core/workspace';

/** How the tools reach the daemon. */
export type DaemonLink = Readonly<ReturnType<typeof linkTo>>;

export interface LinkOptions {
  readonly env: Environment;
  readonly cwd: string;
  /** `memd`'s own script. */
  readonly program: URL;
  readonly answerMs: number;
}

/** The workspace is found at each call, so that a problem with it is the answer of a tool, not a server that does not start. */
export function linkTo({ env, cwd, program, answerMs }: LinkOptions) {
  const askOnce = async (message: JsonObject): Promise<JsonObject> => {
    const workspace = findWorkspace(env, cwd);
    try {
      return await call(workspace.socket, { cwd, ...message }, { timeoutMs: answerMs, pingFirst: true });
    } catch (error) {
      throw explained(error, workspace, answerMs);
    }
  };
  const askAgain = async (message: JsonObject, mayStart: () => boolean): Promise<JsonObject> => {
    try {
      return await askOnce(message);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'stopped' || !mayStart()) throw error;
      // The command waits `startTimeoutMs` for the daemon; the rest is for itself.
      const trouble = await runOwn(program, 'start', { cwd, env: { ...env }, timeout: 2 * startTimeoutMs });
      if (trouble !== null) throw new Failure('not_started', `The memory could not be started: ${trouble}`);
      return askOnce(message);
    }
  };
  const server = randomUUID();
  return {
    /** Counts what a tool gave. A daemon that cannot is no reason to fail. */
    gave: async (tool: string, ids: readonly number[]): Promise<void> => {
      await askOnce({ op: 'given', tool, server, ids: [...ids] }).catch(() => {});
    },
    /** Starts a daemon that had left because it was idle. @throws Failure that says what to do */
    ask: (message: JsonObject) => askAgain(message, () => isComingBack(findWorkspace(env, cwd))),
    /** Starts any daemon that is not running. @throws Failure that says what to do */
    askStarting: (message: JsonObject) => askAgain(message, () => true),
    /** The last query that found each memory: `mem_get` begins with the passage that answers it. */
    queries: new Map<number, string>(),
  };
}

function explained(error: unknown, workspace: Workspace, answerMs: number): unknown {
  if (!(error instanceof Failure)) return error;
  const { code, message } = error;
  const memory = `memory of ${workspace.root}`;
  const withCause = (name: string, what: string, repair: string, safe = 'its data is safe'): Failure =>
    new Failure(name, what, { ...(safe !== '' && { safe }), repair, cause: error });
  if (code === 'silent' || code === 'timeout') {
    const seconds = (code === 'silent' ? pingTimeoutMs : answerMs) / 1000;
    const repair = 'go on without it, and ask the user to run `memd restart` in that folder';
    return withCause('hung', `The ${memory} runs but has not answered within ${seconds} s`, repair);
  }
  if (code !== 'unreachable' && code !== 'closed') return error;
  if (!wasUsed(workspace)) {
    const repair = 'the user can create it: `memd setup` in that folder';
    return withCause('no_memory', `There is no ${memory} yet (${message})`, repair, '');
  }
  const repair =
    'call mem_search with "start": true to start it, or ask the user to run `memd start` in that folder';
  return withCause('stopped', `The ${memory} is not running (${message})`, repair);
}

/** Whether a user has set up this workspace: an assistant does not create a memory that the user did not want. */
function wasUsed(workspace: Workspace): boolean {
  return lstatIfThere(workspace.folder) !== null;
}
