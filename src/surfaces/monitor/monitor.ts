import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { monitorIntervalMs } from '#core/limits';
import { bestEffort, messageOf, rescued } from '#core/platform';
import { findWorkspace } from '#core/workspace';
import { watch } from './watch.ts';

const intervalMsMin = 100;
const intervalMsMax = 24 * 60 * 60_000;

/** Runs the monitor with the words of a command line. Settles with its exit status. @throws Failure of `watch` */
export async function monitor(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<number> {
  const options = optionsOf(argv);
  if (typeof options === 'string') {
    writeToStderr(`monitor: ${options}`);
    return 2;
  }
  // Printed lines are in the file already.
  process.stdout.on('error', () => {});
  const isWell = await watch({
    ...options,
    workspace: findWorkspace(env, cwd),
    stop: stopOnSignals(),
    out: (text) => void process.stdout.write(`${text}\n`),
    note: writeToStderr,
  });
  return isWell ? 0 : 1;
}

/** The options, or what is wrong with them. */
export function optionsOf(argv: readonly string[]) {
  const values = rescued(() => parsed(argv), messageOf);
  if (typeof values === 'string') return values;
  const { interval, once = false } = values;
  const intervalMs = interval === undefined ? monitorIntervalMs : Math.round(Number(interval) * 1_000);
  const isInterval = interval === undefined || /^\d+(\.\d+)?$/.test(interval);
  if (!isInterval || intervalMs < intervalMsMin || intervalMs > intervalMsMax)
    return `--interval: it must be a number of seconds from ${intervalMsMin / 1_000} to ${intervalMsMax / 1_000}.`;
  return { intervalMs, once };
}

function parsed(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      interval: { type: 'string' },
      once: { type: 'boolean' },
      // Of version 0.1, without effect.
      ...{ alert: { type: 'boolean' }, 'raw-max': { type: 'string' }, 'with-key': { type: 'boolean' } },
      json: { type: 'boolean' },
    },
  }).values;
}

/** Aborts with the first SIGINT or SIGTERM; a second one ends the process. */
function stopOnSignals(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** Not `process.stderr`, which stays closed after its first error. */
export function writeToStderr(text: string): void {
  // The result is in health.ndjson all the same.
  bestEffort(() => fs.writeSync(2, `${text}\n`));
}
