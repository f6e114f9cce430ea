import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { errorCode, pause } from '#core/platform';

const bridgePortTriesMax = 5;
const bridgePortRetryMs = 50;
export const bridgePortMin = 49_152;
const bridgePortMax = 65_535;

/** The only address of the bridge (spec 5); it has no setting. */
const address = '127.0.0.1';

/**
 * Listens on `wanted`, or on a random port when that is 0. After `bridgePortTriesMax` failures the system chooses a port. The wanted
 * port is tried several times, because a daemon that has just stopped may still hold it.
 * @returns the port
 */
export async function listen(server: Server, wanted: number): Promise<number> {
  for (let tries = 0; tries < bridgePortTriesMax; tries += 1) {
    const port = wanted === 0 ? randomInt(bridgePortMin, bridgePortMax + 1) : wanted;
    if (await tryPort(server, port)) return port;
    if (wanted !== 0) await pause(bridgePortRetryMs);
  }
  if (!(await tryPort(server, 0))) throw new Error('the system has no free port');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('a server on a port has a port');
  return bound.port;
}

/** False when the port is in use or not allowed. */
async function tryPort(server: Server, port: number): Promise<boolean> {
  try {
    server.listen({ host: address, port, exclusive: true });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}
