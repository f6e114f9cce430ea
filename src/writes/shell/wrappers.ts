import { plain } from '../../boundary/index.ts';
import type { Fed } from './commands.ts';
import { type OptionSpec, sortOptions } from './options.ts';
import { findMark, type State, type Word } from './state.ts';

/** Programs that run the command in their arguments, with the options that take a value before it. */
const wrappers: Readonly<Record<string, OptionSpec & { readonly skip?: number }>> = {
  sudo: { short: 'ugpCDhrtTUR', long: 'user group prompt close-from chdir host role type' },
  doas: { short: 'uC' },
  env: { short: 'uCS', long: 'unset chdir split-string' },
  nohup: {},
  nice: { short: 'n', long: 'adjustment' },
  ionice: { short: 'cnp', long: 'class classdata' },
  timeout: { short: 'ks', long: 'kill-after signal', skip: 1 },
  time: { short: 'fo', long: 'format output' },
  stdbuf: { short: 'ioe', long: 'input output error' },
  setsid: {},
  command: {},
  builtin: {},
  exec: { short: 'a' },
  busybox: {},
  chronic: {},
  caffeinate: { short: 'tw' },
  flock: { short: 'wEc', long: 'timeout conflict-exit-code', skip: 1 },
  strace: { short: 'eopsuaEPOIb' },
  watch: { short: 'nd', long: 'interval' },
  xargs: {
    short: 'InPLdEsa',
    attached: 'ile',
    long: 'replace max-args max-procs max-lines delimiter max-chars arg-file',
  },
};

/** The command inside, when `program` is a wrapper; null when it is none. */
export function unwrap(
  program: string,
  words: readonly Word[],
  fed: Fed,
  state: State,
): { readonly words: readonly Word[]; readonly state: State } | null {
  if (!Object.hasOwn(wrappers, program)) return null;
  const spec = wrappers[program] ?? {};
  const start = commandStart(words, spec);
  const told = sortOptions(words.slice(0, start), spec);
  const inner = words.slice(start);
  const folder = told.value('C', 'chdir', 'D');
  if ((program === 'env' || program === 'sudo') && folder !== undefined) {
    const moved = state.subshell();
    moved.changeFolder(folder);
    return { words: inner, state: moved };
  }
  const output = program === 'time' || program === 'strace' ? told.value('o', 'output') : undefined;
  if (output) state.emit('write', output);
  return program === 'xargs' ? feed(inner, told.value('I', 'replace'), fed, state) : { words: inner, state };
}

/** Behind the wrapper's own options, assignments and fixed operands. */
function commandStart(words: readonly Word[], spec: OptionSpec & { readonly skip?: number }): number {
  let skip = spec.skip ?? 0;
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text;
    if (text === '--') return at + 1 + skip;
    if (text?.startsWith('-') && text.length > 1) {
      const { operands } = sortOptions(words.slice(at, at + 2), spec);
      if (operands.length === 0 && at + 1 < words.length) at += 1;
    } else if (text === undefined || !/^\w+=/.test(text)) {
      if (skip === 0) return at;
      skip -= 1;
    }
  }
  return words.length;
}

/** `xargs` puts what it reads at the end, or in place of its mark. */
function feed(
  words: readonly Word[],
  mark: Word | undefined,
  fed: Fed,
  state: State,
): { readonly words: readonly Word[]; readonly state: State } {
  const inner = state.subshell();
  inner.search = fed.search ?? null;
  const given: readonly Word[] = fed.search === undefined ? (fed.words ?? [null]) : [plain(findMark)];
  if (mark === undefined || mark === null) return { words: [...words, ...given], state: inner };
  const placed = words.flatMap((word): readonly Word[] => {
    if (word === null || !word.text.includes(mark.text)) return [word];
    return given.map((one) => (one === null ? null : plain(word.text.replaceAll(mark.text, one.text))));
  });
  return { words: placed, state: inner };
}
