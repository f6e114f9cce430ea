import { spool } from '../../capture/intake/index.ts';
import { captureSettings } from '../../core/config/index.ts';
import type { JsonObject } from '../../core/event/index.ts';
import { spoolRedactShare } from '../../core/limits.ts';
import { keepOwnRights, messageOf } from '../../core/platform/index.ts';
import { ensureFolders, findWorkspace } from '../../core/workspace/index.ts';
import { bringBack } from './bring-back.ts';

export interface Unsent {
  readonly payload: JsonObject;
  readonly client?: string | undefined;
  readonly receivedAt: string;
  /** The hook's folder, or the project's where that is gone. */
  readonly cwd: string;
}

/**
 * What the hook loads only when it cannot hand its observation over: adapters, the redactor and the spool, and what brings back a
 * daemon that left because it was idle.
 * @returns what became of it, to be said on stderr; null for what is not worth a word
 */
export async function spoolObservation({ payload, client, receivedAt, cwd }: Unsent): Promise<string | null> {
  keepOwnRights();
  try {
    const workspace = findWorkspace(process.env, cwd);
    const { spool: isKept, budgetMs } = captureSettings(workspace.config);
    if (!isKept) {
      await bringBack(workspace);
      return 'not captured (captureSpool is off)';
    }
    ensureFolders(workspace);
    const isOver = overAfter(budgetMs * spoolRedactShare);
    const outcome = spool(workspace.spool, payload, { client, receivedAt, cwd }, isOver);
    if (outcome === 'ignored') return null;
    // Behind the spool: the start finds this call there.
    const isBack = await bringBack(workspace);
    if (outcome === 'spooled') {
      return isBack
        ? 'kept in the spool; the daemon had left by itself, and comes back and takes it in'
        : 'kept in the spool; the next start takes it in';
    }
    return 'not captured: the spool is full (run: memd start)';
  } catch (error) {
    return `not captured: ${messageOf(error)}`;
  }
}

/** Says when this process has worked so long. On a machine that starves it is not the work that takes the time, and calls are kept. */
function overAfter(limitMs: number): () => boolean {
  const startedAt = performance.now();
  const start = process.cpuUsage();
  return () => {
    // Asked for every value: the processor's time is worth a system call only when the clock says that it may be over.
    if (performance.now() - startedAt < limitMs) return false;
    const { user, system } = process.cpuUsage(start);
    return user + system > limitMs * 1_000;
  };
}
