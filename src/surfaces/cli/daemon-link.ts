import path from 'node:path';
import type { JsonObject } from '#core/event';
import { requestTimeoutMs } from '#core/limits';
import { Failure, lstatIfThere } from '#core/platform';
import { type CallOptions, call } from '#core/rpc';
import { everyWorkspace, findWorkspace, homeOf, isComingBack, type Workspace } from '#core/workspace';
import type { Started } from '#service/lifecycle';
import { version } from '../../core/version.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';

export const daemonScript = new URL('./daemon.cjs', import.meta.url);

/** The workspace of the current folder. */
export function workspaceOf(io: Io): Workspace {
  return findWorkspace(io.env, io.cwd);
}

/** Who the user of a memory is, for what others recorded; undefined if nothing says it. */
export async function userOf(workspace: Workspace, io: Io): Promise<string | undefined> {
  const [{ loadConfig }, { namedAuthor }] = await Promise.all([
    import('#core/config'),
    import('#service/sync'),
  ]);
  const { config } = loadConfig(workspace.config, io.env);
  return namedAuthor(workspace, config['sync.author'], io.env);
}

/** Starts the daemon unless one answers, and prints its notes. */
export async function ensureDaemon(workspace: Workspace, io: Io): Promise<Started> {
  // Loaded only when needed: most commands just send a request.
  const { startDaemon } = await import('#service/lifecycle');
  const note = (message: string): void => io.note(`memd: ${message}`);
  const started = await withProgress(io, 'starting the daemon', () =>
    startDaemon(workspace, io.env, { script: daemonScript, version, note }),
  );
  for (const note of started.notes) io.note(`memd: ${note}`);
  return started;
}

/** The same for what needs a memory: none is begun. @throws Failure `no_memory` in a folder without one */
export async function ensureMemory(workspace: Workspace, io: Io): Promise<Started> {
  if (lstatIfThere(workspace.folder) === null) throw noMemory(workspace, io);
  return ensureDaemon(workspace, io);
}

/** Sends a request to the daemon. @throws Failure `unreachable` if none answers, also if it hangs */
export async function ask(
  workspace: Workspace,
  message: JsonObject,
  options: Partial<CallOptions> = {},
): Promise<JsonObject> {
  try {
    const limits = { timeoutMs: requestTimeoutMs, pingFirst: true, ...options };
    return await call(workspace.socket, message, limits);
  } catch (error) {
    if (!(error instanceof Failure) || ![...gone, ...hanging].includes(error.code)) throw error;
    throw new Failure('unreachable', `daemon: unreachable (${error.message})`, {
      ...(error.code === 'closed' ? { safe: 'the request may have been carried out' } : {}),
      repair: gone.includes(error.code) ? 'run `memd start`' : 'run `memd restart`',
      cause: error,
    });
  }
}

/** Codes of `call`: no daemon listens, and one listens but does not answer. */
const gone = ['unreachable', 'closed'];
const hanging = ['silent', 'timeout'];

/** Whether `ask` failed because the daemon hangs. */
export function hangs(failure: Failure): boolean {
  return failure.cause instanceof Failure && hanging.includes(failure.cause.code);
}

/** `ask`; starts a daemon that has exited because it was idle. @throws Failure `unreachable`, `no_memory` */
export async function askAwake(workspace: Workspace, io: Io, message: JsonObject): Promise<JsonObject> {
  // States are those of the working tree in which the user is.
  const request = { cwd: io.cwd, ...message };
  const askHere = () => withProgress(io, 'waiting for the daemon', () => ask(workspace, request));
  try {
    return await askHere();
  } catch (error) {
    const isAway = error instanceof Failure && error.code === 'unreachable';
    if (isAway && lstatIfThere(workspace.folder) === null) throw noMemory(workspace, io);
    if (!isAway || !(await wake(workspace, io))) throw error;
    return await askHere();
  }
}

/** A folder without a memory; names that of the project which shares most of its path. */
export function noMemory({ root, namespace }: Workspace, io: Io): Failure {
  const shared = (other: string): number => {
    const parts = root.split(path.sep);
    const differs = other.split(path.sep).findIndex((part, at) => part !== parts[at]);
    return differs === -1 ? other.length : differs;
  };
  const [nearest] = everyWorkspace(homeOf(io.env))
    .filter((one) => one.namespace === namespace && one.root !== '')
    .sort((a, b) => shared(b.root) - shared(a.root));
  const near = nearest === undefined ? '' : `; the nearest memory is that of ${inOnePiece(nearest.root)}`;
  return new Failure('no_memory', `there is no memory of ${inOnePiece(root)}${near}`, {
    repair: 'run `memd setup` to begin one, or `mem search --everywhere` to search all',
  });
}

/** A path with a blank in quotes: `wrap` breaks no line in it. */
const inOnePiece = (file: string): string => (/\s/.test(file) ? `"${file}"` : file);

/** Starts a daemon that has exited because it was idle. False if that is not why none runs. */
export async function wake(workspace: Workspace, io: Io): Promise<boolean> {
  if (!isComingBack(workspace)) return false;
  await ensureDaemon(workspace, io);
  return true;
}
