import { type JsonObject, objectAt } from '../event/index.ts';
import { doctorInfoMs } from '../limits.ts';
import { Failure } from '../platform/index.ts';
import { call, ping } from '../rpc/index.ts';
import type { Looked, Subject } from './check.ts';

/** The subject for one look at everything: the daemon is asked once, and only when a check wants to know. */
export function lookedAt(subject: Subject): Looked {
  let asked: Promise<JsonObject | null> | null = null;
  return {
    ...subject,
    running: () => {
      asked ??= infoOf(subject.workspace.socket);
      return asked;
    },
  };
}

async function infoOf(socket: string): Promise<JsonObject | null> {
  try {
    if ((await ping(socket)) !== 'ok') return null;
    return objectAt(await call(socket, { op: 'info' }, { timeoutMs: doctorInfoMs }), 'info') ?? null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // That it does not answer is the check `daemon`'s to tell.
    return null;
  }
}
