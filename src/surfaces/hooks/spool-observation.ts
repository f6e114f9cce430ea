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
  /** The hook's folder, or the project's if that was removed. */
  readonly cwd: string;
}

/**
 * Loaded only when the daemon does not take the observation: adapters, redactor, spool, and the start of an idle daemon.
 * @returns the outcome for stderr; null for an event that is not captured
 */
export async function spoolObservation({ payload, client, receivedAt, cwd }: Unsent): Promise<string | null> {
  keepOwnRights();
  try {
    const workspace = findWorkspace(process.env, cwd);
    const { spool: isKept, budgetMs, messages } = captureSettings(workspace.config);
    if (!isKept) {
      await bringBack(workspace);
      return 'not captured (captureSpool is off)';
    }
    ensureFolders(workspace);
    const isOver = overAfter(budgetMs * spoolRedactShare);
    const outcome = spool(workspace.spool, payload, { client, receivedAt, cwd, messages }, isOver);
    if (outcome === 'ignored') return null;
    // After spooling, so that the start finds this call.
    const isBack = await bringBack(workspace);
    if (outcome === 'spooled') {
      return isBack
        ? 'queued in the spool. The idle daemon starts again and stores it.'
        : 'queued in the spool. The next start stores it.';
    }
    return 'not captured: the spool is full. Run `memd start`.';
  } catch (error) {
    return `not captured: ${messageOf(error)}`;
  }
}

/** Whether this process has used so much processor time. On a starved machine time passes without work, and the call is kept. */
function overAfter(limitMs: number): () => boolean {
  const startedAt = performance.now();
  const start = process.cpuUsage();
  return () => {
    // Called for every value: the clock first, since processor time costs a system call.
    if (performance.now() - startedAt < limitMs) return false;
    const { user, system } = process.cpuUsage(start);
    return user + system > limitMs * 1_000;
  };
}
