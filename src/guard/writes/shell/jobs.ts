import { plain } from '../../boundary/index.ts';
import { textsAt } from './builtins.ts';
import { sortOptions } from './options.ts';
import type { Command } from './state.ts';

/** The line of each job behind its five fields, or behind `@daily`. */
const crontab: Command = (words, state, stdin) => {
  const options = sortOptions(words, { short: 'u' });
  if (options.has('l', 'r')) return;
  for (const text of textsAt(options.operands[0] ?? plain('-'), stdin, state))
    for (const line of text.split('\n'))
      state.run(/^\s*(?:@\w+\s+|(?:[^\s#]\S*\s+){5})(.*)$/.exec(line)?.[1] ?? '');
};

/** The whole script of a job. */
const at: Command = (words, state, stdin) => {
  const options = sortOptions(words, { short: 'qft' });
  if (options.has('l', 'r', 'd', 'c')) return;
  for (const text of textsAt(options.value('f') ?? plain('-'), stdin, state)) state.run(text);
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
