import { CommanderError, Option } from 'commander';
import { monitorIntervalMs } from '#core/limits';
import { monitor } from '#surfaces/monitor';
import { type AddCommand, command, Unsuccessful } from '../program.ts';

/** Of version 0.1: a unit or a cron line that has them goes on. */
const formerOptions = ['--alert', '--raw-max <N>', '--with-key'];

/** The monitor, which is also a script of its own, checks the options; here they are for help and completion. */
export const monitorCommand: AddCommand = (program, io) => {
  const added = command(
    program,
    'monitor',
    'ping the daemon every 30 s and append the result to health.ndjson',
    ['memd monitor', 'memd monitor --once', 'memd monitor --interval 10'],
  );
  for (const name of formerOptions) added.addOption(new Option(name).hideHelp());
  added
    .option('--interval <S>', `seconds between two pings (default: ${monitorIntervalMs / 1_000})`)
    .option('--once', 'ping once and print the result; exit 1 if the daemon does not answer')
    .action(async (options: { interval?: string; once?: boolean }) => {
      const { interval, once } = options;
      const words = [
        ...(interval === undefined ? [] : [`--interval=${interval}`]),
        ...(once ? ['--once'] : []),
      ];
      const status = await monitor(words, io.env, io.cwd);
      // It has said why.
      if (status === 2) throw new CommanderError(2, 'monitor', '');
      if (status !== 0) throw new Unsuccessful();
    });
};
