import { daemonLogBytesMax } from '../../core/limits.ts';
import { addTo, lstatIfThere } from '../../core/platform/index.ts';

/**
 * Tells the daemon's log what a command has to report while it does the daemon's work: the lines that the daemon itself would have
 * written, appended beside its own. Only a daemon sets a full log aside; until one does, it is bounded here.
 */
export function reportTo(
  file: string,
): (message: string, fields: Readonly<Record<string, string | number>>) => void {
  return (message, fields) => {
    const line = { level: warn, time: new Date().toISOString(), pid: process.pid, ...fields, msg: message };
    try {
      if ((lstatIfThere(file)?.size ?? 0) > 2 * daemonLogBytesMax) return;
      addTo(file, `${JSON.stringify(line)}\n`);
    } catch {
      // As with the daemon: a full disk must not end the work for want of a log line.
    }
  };
}

/** pino's number of a warning. */
const warn = 40;
