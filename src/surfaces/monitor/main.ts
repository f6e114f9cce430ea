#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { alertRawMaxDefault, monitorIntervalMs } from '../../core/limits.ts';
import { Failure, keepOwnRights, messageOf } from '../../core/platform/index.ts';
import { findWorkspace } from '../../core/workspace/index.ts';
import { intervalWords, secondsOf, wholeNumberOf } from './arguments.ts';
import { stopOnSignals } from './signals.ts';
import { writeToStderr } from './stderr.ts';
import { watch } from './watch.ts';

/** The monitor as a script of its own: one file that needs Node and nothing else. */
async function main(): Promise<number> {
  keepOwnRights();
  const told = argumentsOf(process.argv.slice(2));
  if (typeof told === 'string') {
    writeToStderr(`monitor: ${told}`);
    return 2;
  }
  if (told === null) {
    process.stdout.write(help);
    return 0;
  }
  const isWell = await watch({
    ...told,
    workspace: findWorkspace(process.env, process.cwd()),
    env: process.env,
    stop: stopOnSignals(),
    out: (text) => void process.stdout.write(`${text}\n`),
    note: writeToStderr,
  });
  return isWell ? 0 : 1;
}

const help = `Usage: monitor.mjs [options]

Pings the daemon of this project and appends a line to ~/.memd/<ns>/health.ndjson.

  --interval S   seconds between two pings (default: ${monitorIntervalMs / 1_000})
  --once         ping once, print the line; exit 0 when the daemon answers, 1 when not
  --alert        tell on stderr, and on the desktop, when the daemon does not answer three pings in a row,
                 and when raw events have been above a threshold for ten minutes; exit 1 if it ever did
  --raw-max N    that threshold (default: ${alertRawMaxDefault}); means --alert
  --with-key     name the workspace's key in each line
`;

interface Told {
  readonly intervalMs: number;
  readonly once: boolean;
  readonly withKey: boolean;
  readonly rawMax: number | null;
}

/** What the command line asks for; null for its help, or what is wrong with it. */
function argumentsOf(argv: readonly string[]): Told | string | null {
  let values: ReturnType<typeof parsed>;
  try {
    values = parsed(argv);
  } catch (error) {
    return messageOf(error);
  }
  if (values.help) return null;
  const intervalMs = values.interval === undefined ? monitorIntervalMs : secondsOf(values.interval);
  if (intervalMs === null) return `--interval: ${intervalWords}`;
  const rawMax = values['raw-max'] === undefined ? alertRawMaxDefault : wholeNumberOf(values['raw-max']);
  if (rawMax === null) return '--raw-max: it must be a whole number, at least 0.';
  const alert = values.alert === true || values['raw-max'] !== undefined;
  const once = values.once === true;
  if (once && alert) return '--once cannot be used with alerts: one ping makes none.';
  return { intervalMs, once, withKey: values['with-key'] === true, rawMax: alert ? rawMax : null };
}

function parsed(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      interval: { type: 'string' },
      once: { type: 'boolean' },
      alert: { type: 'boolean' },
      'raw-max': { type: 'string' },
      'with-key': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
}

// The line has been kept when it is printed.
process.stdout.on('error', () => {});
try {
  process.exitCode = await main();
} catch (error) {
  writeToStderr(`monitor: ${error instanceof Failure ? '' : 'unexpected: '}${messageOf(error)}`);
  process.exitCode = 1;
}
