import { readCommand } from '../../calls/shell/index.ts';

const charsMax = 160;

/** A command as it can be run again, without folder changes and pagers; `name` when it is too long or one of several. */
export function readCommandLine(command: string, name: string): string {
  const { essence, steps } = readCommand(command);
  const isOne = steps.length <= name.split(' && ').length;
  return (isOne && essence.length <= charsMax ? essence : name).replaceAll('`', "'").slice(0, 2 * charsMax);
}
