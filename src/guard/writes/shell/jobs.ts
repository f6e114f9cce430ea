import { plain } from '#guard/boundary';
import { scriptsAt } from './builtins.ts';
import { sortOptions } from './options.ts';
import type { Command, State } from './state.ts';
import { type Stdin, unknownWord, type Word } from './stdin.ts';

/** The text of jobs in the line itself; those of a file may write anything. */
function jobsAt(file: Word | undefined, stdin: Stdin, state: State): readonly string[] {
  const texts = scriptsAt(file ?? plain('-'), stdin, state);
  if (texts.length === 0 || stdin.file !== undefined) state.emit('write', unknownWord);
  return texts;
}

/** The line of each job behind its five fields, or behind `@daily`. */
const crontab: Command = (words, state, stdin) => {
  const options = sortOptions(words, { short: 'u' });
  if (options.has('l', 'r')) return;
  for (const line of jobsAt(options.operands[0], stdin, state).flatMap((text) => text.split('\n')))
    state.run(/^\s*(?:@\w+\s+|(?:[^\s#]\S*\s+){5})(.*)$/.exec(line)?.[1] ?? '');
};

/** The whole script of a job. */
const at: Command = (words, state, stdin) => {
  const options = sortOptions(words, { short: 'qft' });
  if (options.has('l', 'r', 'd', 'c')) return;
  for (const text of jobsAt(options.value('f'), stdin, state)) state.run(text);
};

/** A folder gets another name, through which later calls may write. */
const mount: Command = (words, state) => {
  const options = sortOptions(words, { short: 'otLUOT', long: 'options types' });
  const isBound = options.values('o', 'options').some(({ text }) => /\br?bind\b/.test(text));
  if (isBound || options.has('B', 'R', 'bind', 'rbind')) state.emitAll('tree', options.operands);
};

const mem: Command = (words, state) => {
  const [name, file] = sortOptions(words).operands;
  if (name?.text === 'export') state.emit('write', file);
};

export const jobCommands: Readonly<Record<string, Command>> = { crontab, at, batch: at, mount, mem };
