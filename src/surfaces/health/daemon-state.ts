import { isObject, type JsonObject, objectAt, own, stringAt } from '#core/event';
import { requestTimeoutMs } from '#core/limits';
import { isUnsafePlace, nullIfFailure } from '#core/platform';
import { call, type Health, ping } from '#core/rpc';
import type { Context, Problem } from './check.ts';

/** `refused` if socket or folder are open to others, which the check `modes` reports. */
export async function pinged(socket: string): Promise<Health | 'refused'> {
  try {
    return await ping(socket);
  } catch (error) {
    if (isUnsafePlace(error)) return 'refused';
    throw error;
  }
}

/** The daemon's `info`; null if it does not answer, which the check `daemon` reports. */
export async function daemonInfo(socket: string): Promise<JsonObject | null> {
  const health = await pinged(socket).catch(nullIfFailure);
  if (health !== 'ok') return null;
  const reply = await call(socket, { op: 'info' }, { timeoutMs: requestTimeoutMs }).catch(nullIfFailure);
  return reply && (objectAt(reply, 'info') ?? null);
}

/** The findings of the running daemon with that code. */
export function reported(code: string): (context: Context) => Promise<Problem[]> {
  return async ({ info }) => {
    const findings = own((await info()) ?? {}, 'findings');
    return (Array.isArray(findings) ? findings : [])
      .filter(isObject)
      .filter((one) => one.code === code)
      .map((one) => ({ detail: stringAt(one, 'detail') ?? '' }));
  };
}
