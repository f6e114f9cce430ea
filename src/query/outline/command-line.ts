import { readCommand } from '#reading/shell';

const charsMax = 160;

/** A command as it can be run again, without folder changes and pagers; `name` when it is too long or one of several. */
export function readCommandLine(command: string, name: string): string {
  const { essence, steps } = readCommand(command);
  if (name === '') return essence.slice(0, 2 * charsMax).replaceAll('`', "'");
  const isOne = steps.length <= name.split(' && ').length && steps.every(({ seen }) => seen !== 'filtered');
  return (isOne && essence.length <= charsMax ? essence : name).replaceAll('`', "'").slice(0, 2 * charsMax);
}
