import { type JsonObject, objectAt } from '../../core/event/index.ts';
import { Failure, isUnsafePlace } from '../../core/platform/index.ts';
import { call, type Health, ping } from '../../core/rpc/index.ts';
import type { Looked, Subject } from './check.ts';

const doctorInfoMs = 5_000;

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

/** What a ping finds; `refused` where socket or folder are not this user's alone, which is the check `modes`' to tell. */
export async function pinged(socket: string): Promise<Health | 'refused'> {
  try {
    return await ping(socket);
  } catch (error) {
    if (isUnsafePlace(error)) return 'refused';
    throw error;
  }
}

async function infoOf(socket: string): Promise<JsonObject | null> {
  try {
    if ((await pinged(socket)) !== 'ok') return null;
    return objectAt(await call(socket, { op: 'info' }, { timeoutMs: doctorInfoMs }), 'info') ?? null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // That it does not answer is the check `daemon`'s to tell.
    return null;
  }
}
