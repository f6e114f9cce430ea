import { InvalidArgumentError, Option } from 'commander';
import { alertRawMaxDefault, monitorIntervalMs } from '../../../core/limits.ts';
import { intervalWords, secondsOf, stopOnSignals, watch, writeToStderr } from '../../monitor/index.ts';
import { workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, Unsuccessful, wholeNumber } from '../program.ts';

interface Options {
  readonly interval?: number;
  readonly once?: boolean;
  readonly alert?: boolean;
  readonly rawMax?: number;
  readonly withKey?: boolean;
}

export const monitorCommand: AddCommand = (program, io) => {
  command(program, 'monitor', 'ping the daemon every 30 seconds, each time a line in health.ndjson', [
    'memd monitor',
    'memd monitor --once',
    'memd monitor --interval 10 --alert',
    'memd monitor --raw-max 2000',
  ])
    .option('--interval <S>', `seconds between two pings (default: ${monitorIntervalMs / 1_000})`, interval)
    .option('--once', 'ping once, print the line; exit 0 when the daemon answers, 1 when not')
    .addOption(alertOption())
    .addOption(rawMaxOption())
    .option('--json', 'lines of JSON: as without it')
    .option('--with-key', "name the workspace's key in each line, as `workspace`")
    .action(async (options: Options) => {
      const workspace = workspaceOf(io);
      const isAlerting = options.alert === true || options.rawMax !== undefined;
      const isWell = await watch({
        workspace,
        env: io.env,
        intervalMs: options.interval ?? monitorIntervalMs,
        once: options.once === true,
        withKey: options.withKey === true,
        rawMax: isAlerting ? (options.rawMax ?? alertRawMaxDefault) : null,
        stop: stopOnSignals(),
        out: (text) => io.out(text),
        note: writeToStderr,
      });
      if (!isWell) throw new Unsuccessful();
    });
};

function alertOption(): Option {
  const what =
    'tell on stderr, and on the desktop, when three pings in a row fail, and when raw events have been above a threshold for ten minutes; exit 1 at the end if it ever did';
  return new Option('--alert', what).conflicts('once');
}

function rawMaxOption(): Option {
  const what = `that threshold (default: ${alertRawMaxDefault}); means --alert`;
  return new Option('--raw-max <N>', what).argParser(wholeNumber(0)).conflicts('once');
}

function interval(text: string): number {
  const ms = secondsOf(text);
  if (ms === null) throw new InvalidArgumentError(intervalWords);
  return ms;
}
