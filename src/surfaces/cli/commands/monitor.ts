import { alertRawMaxDefault, monitorIntervalMs } from '../../../core/limits.ts';
import { monitor } from '../../monitor/index.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';

/** The monitor, which is also a script of its own, checks the options; here they are for help and completion. */
export const monitorCommand: AddCommand = (program, io) => {
  const added = command(
    program,
    'monitor',
    'ping the daemon every 30 s and append the result to health.ndjson',
    [
      'memd monitor',
      'memd monitor --once',
      'memd monitor --interval 10 --alert',
      'memd monitor --raw-max 2000',
    ],
  );
  added
    .option('--interval <S>', `seconds between two pings (default: ${monitorIntervalMs / 1_000})`)
    .option('--once', 'ping once and print the result; exit 1 if the daemon does not answer')
    .option(
      '--alert',
      'report on stderr when three pings in a row fail or too many events wait for ten minutes; then exit 1 at the end',
    )
    .option(
      '--raw-max <N>',
      `how many waiting events are too many (default: ${alertRawMaxDefault}); implies --alert`,
    )
    .option('--with-key', 'add the key of the workspace to each line')
    .action(async (options: Readonly<Record<string, string | boolean>>) => {
      const words = Object.entries(options).map(([name, value]) => {
        const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        return value === true ? flag : `${flag}=${value}`;
      });
      const status = await monitor(words, io.env, io.cwd);
      if (status === 2) added.error('', { exitCode: 2 });
      if (status !== 0) throw new Unsuccessful();
    });
};
