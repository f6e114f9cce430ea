import { daemonLogBytesMax } from '#core/limits';
import { addLines, bestEffort, lstatIfThere } from '#core/platform';
import type { Report } from '#memory/consolidate';

// pino's number of a warning.
const warn = 40;

/** Appends to the daemon's log while a command does the daemon's work. Only a daemon rotates the log, so its size is bounded here. */
export function reportTo(file: string): Report {
  return (message, fields) => {
    const line = { level: warn, time: new Date().toISOString(), pid: process.pid, ...fields, msg: message };
    // The work continues without a log line, as in the daemon.
    bestEffort(() => {
      if ((lstatIfThere(file)?.size ?? 0) <= 2 * daemonLogBytesMax) addLines(file, JSON.stringify(line));
    });
  };
}
