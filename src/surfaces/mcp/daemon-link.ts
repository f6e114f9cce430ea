import type { JsonObject } from '../../core/event/index.ts';
import { pingTimeoutMs } from '../../core/limits.ts';
import { Failure, lstatIfThere } from '../../core/platform/index.ts';
import { call } from '../../core/rpc/index.ts';
import { type Environment, findWorkspace, isComingBack, type Workspace } from '../../core/workspace/index.ts';
import { startMemory } from './start-memory.ts';

/** How the tools reach the daemon. Every failure is a `Failure` whose words help an assistant on. */
export interface DaemonLink {
  /** Brings back a daemon that left because it was idle. @throws Failure in words that say what to do */
  ask(message: JsonObject): Promise<JsonObject>;
  /** `ask`, after starting the daemon if there is none. @throws Failure */
  askStarting(message: JsonObject): Promise<JsonObject>;
}

export interface LinkOptions {
  readonly env: Environment;
  readonly cwd: string;
  /** `memd`'s own script. */
  readonly program: URL;
  readonly answerMs: number;
}

/** The workspace is looked for at each call: what is wrong with it is told to who asks, not by a server that does not start. */
export function linkTo({ env, cwd, program, answerMs }: LinkOptions): DaemonLink {
  const askOnce = async (message: JsonObject): Promise<JsonObject> => {
    const workspace = findWorkspace(env, cwd);
    try {
      return await call(workspace.socket, message, { timeoutMs: answerMs, pingFirst: true });
    } catch (error) {
      throw inWords(error, workspace, answerMs);
    }
  };
  const askAgain = async (message: JsonObject, mayStart: () => boolean): Promise<JsonObject> => {
    try {
      return await askOnce(message);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'stopped' || !mayStart()) throw error;
      await startMemory(program, env, cwd);
      return askOnce(message);
    }
  };
  return {
    ask: (message) => askAgain(message, () => isComingBack(findWorkspace(env, cwd))),
    askStarting: (message) => askAgain(message, () => true),
  };
}

function inWords(error: unknown, workspace: Workspace, answerMs: number): unknown {
  if (!(error instanceof Failure)) return error;
  const { root } = workspace;
  switch (error.code) {
    case 'unreachable':
    case 'closed':
      return wasUsed(workspace)
        ? new Failure('stopped', `The memory of ${root} is not running (${error.message})`, {
            safe: 'nothing that it holds is lost',
            repair:
              'call mem_search with "start": true to start it, or have the user run `memd start` in that folder',
            cause: error,
          })
        : new Failure('no_memory', `There is no memory of ${root} yet (${error.message})`, {
            repair: 'the user can begin one: `memd up` in that folder',
            cause: error,
          });
    case 'silent':
    case 'timeout':
      return new Failure(
        'hung',
        `The memory of ${root} runs but has not answered within ${(error.code === 'silent' ? pingTimeoutMs : answerMs) / 1000} s`,
        {
          safe: 'nothing that it holds is lost',
          repair: 'go on without it, and have the user run `memd restart` in that folder',
          cause: error,
        },
      );
    default:
      return error;
  }
}

/** Whether someone has set this workspace up: no assistant makes a memory where nobody wanted one. */
function wasUsed(workspace: Workspace): boolean {
  return lstatIfThere(workspace.folder) !== null;
}
