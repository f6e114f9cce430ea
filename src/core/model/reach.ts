import { connect } from 'node:net';
import { probeTimeoutMs } from '../limits.ts';
import { causeWords, isAbsence } from './cause.ts';

/**
 * Null when something accepts connections at the base address, or may do so (no answer in time), else the error in fetch's
 * words. Sends nothing: neither a key nor a request that could be billed.
 */
export function absenceAt(
  base: string,
  signal: AbortSignal,
  timeoutMs = probeTimeoutMs,
): Promise<string | null> {
  const { hostname, port, protocol } = new URL(base);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  });
  return new Promise((resolve) => {
    const stop = () => end(null);
    const end = (answer: string | null) => {
      // The signal lives as long as the daemon: its listeners must not pile up.
      signal.removeEventListener('abort', stop);
      socket.destroy();
      resolve(answer);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    socket.setTimeout(timeoutMs, () => end(null));
    socket.once('connect', () => end(null));
    // Stays after the answer: a late error of a destroyed socket must not end the process.
    socket.on('error', (thrown) => end(isAbsence(thrown) ? `fetch failed: ${causeWords(thrown)}` : null));
  });
}
