import { plain, unread } from '../../boundary/index.ts';
import type { RunText } from './builtins.ts';
import { type OptionSpec, type Options, sortOptions } from './options.ts';
import { asLine } from './shells.ts';
import { commandIn, type State } from './state.ts';
import { type Invocation, type Stdin, unknownWord, type Word, wordsIn } from './stdin.ts';

interface Wrapper extends OptionSpec {
  /** The number of operands before the command. */
  readonly skip?: number;
  /** Options whose value is a command line for a shell. */
  readonly text?: readonly string[];
  /** Options whose value is the folder that the command runs in. */
  readonly folder?: readonly string[];
  /** Options whose value is a file that the program writes. */
  readonly output?: readonly string[];
  /** A word that must stand first: `uv run`. */
  readonly first?: RegExp;
  /** The operands form one command line for a shell. */
  readonly isLine?: boolean;
  /** The operands are files that the program writes. */
  readonly writes?: boolean;
}

const user: Wrapper = {
  short: 'cgGsw',
  long: 'command group shell whitelist-environment session-command',
  text: ['c', 'command', 'session-command'],
};
const trace: Wrapper = { short: 'eopsuaEPOIbX', long: 'output trace attach', output: ['o', 'output'] };

/** Programs that run the command in their arguments, with their given options that take a value. */
const wrappers: Readonly<Record<string, Wrapper>> = {
  ...Object.fromEntries(
    `nohup prlimit unbuffer setsid linux32 linux64 command builtin busybox toybox chronic firejail eatmydata torsocks proxychains proxychains4 rlwrap`
      .split(/\s+/)
      .map((name) => [name, {}]),
  ),
  sudo: {
    short: 'ugpCDhrtTUR',
    long: 'user group prompt close-from chdir host role type chroot',
    folder: ['D', 'chdir'],
  },
  doas: { short: 'uC' },
  env: {
    short: 'uCSP',
    long: 'unset chdir split-string argv0',
    folder: ['C', 'chdir'],
    text: ['S', 'split-string'],
  },
  nice: { short: 'n', long: 'adjustment' },
  ionice: { short: 'cnpPu', long: 'class classdata' },
  chrt: { short: 'TPD', skip: 1 },
  taskset: { skip: 1 },
  numactl: { short: 'NCmip', long: 'cpunodebind physcpubind membind interleave preferred' },
  timeout: { short: 'ks', long: 'kill-after signal', skip: 1 },
  gtimeout: { short: 'ks', long: 'kill-after signal', skip: 1 },
  time: { short: 'fo', long: 'format output', output: ['o', 'output'] },
  stdbuf: { short: 'ioe', long: 'input output error' },
  setarch: { skip: 1 },
  perf: {
    first: /^(?:stat|record|trace)$/,
    short: 'eorIp',
    long: 'output event repeat',
    output: ['o', 'output'],
  },
  setpriv: {
    long: 'reuid regid groups inh-caps bounding-set ambient-caps securebits selinux-label apparmor-profile',
  },
  exec: { short: 'a' },
  caffeinate: { short: 'tw' },
  su: { ...user, skip: 1 },
  runuser: { ...user, short: 'cgGsuw' },
  sg: { ...user, skip: 1 },
  script: {
    short: 'cEIOBTmo',
    long: 'command log-in log-out log-io log-timing echo output-limit',
    text: ['c', 'command'],
    output: ['I', 'O', 'B', 'T', 'log-in', 'log-out', 'log-io', 'log-timing'],
    writes: true,
  },
  flock: { short: 'wEc', long: 'timeout conflict-exit-code command', skip: 1, text: ['c', 'command'] },
  chroot: { long: 'userspec groups', skip: 1 },
  unshare: { short: 'SGRw', long: 'setuid setgid root wd', folder: ['w', 'wd'] },
  nsenter: { short: 'tSG', long: 'target setuid setgid' },
  'systemd-run': {
    short: 'pEuMHd',
    long: 'property setenv unit working-directory',
    folder: ['d', 'working-directory'],
  },
  'systemd-inhibit': { long: 'what who why mode' },
  pkexec: { long: 'user' },
  fakeroot: { short: 'slbi' },
  'dbus-run-session': { long: 'config-file dbus-daemon' },
  'xvfb-run': { short: 'efnps', long: 'server-num error-file auth-file server-args' },
  faketime: { short: 'f', skip: 1 },
  strace: trace,
  ltrace: trace,
  valgrind: { long: 'tool log-file', output: ['log-file'] },
  watch: { short: 'nd', long: 'interval', isLine: true },
  'nix-shell': { short: 'pA', long: 'run command packages', text: ['run', 'command'] },
  npx: { short: 'cp', long: 'call package', text: ['c', 'call'] },
  uv: { first: /^run$/, long: 'with project directory python' },
  poetry: { first: /^run$/, short: 'C' },
  pipenv: { first: /^run$/ },
  bundle: { first: /^exec$/ },
  pnpm: { first: /^exec$/, short: 'C' },
  npm: { first: /^(?:exec|x)$/, short: 'c', long: 'call', text: ['c', 'call'] },
  yarn: { first: /^exec$/ },
  mise: { first: /^(?:exec|x)$/ },
  direnv: { first: /^exec$/, skip: 1 },
  parallel: { short: 'jNIaSdL', long: 'jobs max-args arg-file joblog results delay timeout retries' },
  xargs: {
    short: 'InPLdEsa',
    attached: 'ile',
    long: 'replace max-args max-procs max-lines delimiter max-chars arg-file',
  },
};

/** Runs the command inside a wrapper; false when `program` is not a wrapper. */
export function runWrapped(
  program: string,
  words: readonly Word[],
  stdin: Stdin,
  state: State,
  runInner: (invocation: Invocation, state: State) => void,
  runText: RunText,
): boolean {
  if (!Object.hasOwn(wrappers, program)) return false;
  const spec = wrappers[program] ?? {};
  const at = spec.first === undefined ? 0 : words.findIndex(({ text }) => spec.first?.test(text));
  if (at === -1) return false;
  const given = spec.first === undefined ? words : words.slice(at + 1);
  const start = commandStart(given, spec);
  const all = sortOptions(given, spec);
  const own = sortOptions(given.slice(0, start), spec);
  const inner = given.slice(start);
  const moved = state.subshell();
  const folder = own.value(...(spec.folder ?? ['-']));
  if (folder !== undefined) moved.changeFolder(folder);
  const at2 = folder === undefined ? state : moved;
  for (const file of own.values(...(spec.output ?? ['-']))) state.emit('write', file);
  if (spec.writes === true) state.emitAll('write', all.operands);
  const texts = (spec.skip === 1 ? all : own).values(...(spec.text ?? ['-']));
  for (const text of texts) runText(asLine([text, ...(program === 'env' ? inner : [])]), at2.subshell());
  for (const { text } of program === 'env' ? given.slice(0, start) : []) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    at2.run(commandIn(name, value));
  }
  if (texts.length > 0) return true;
  if (spec.isLine === true) runText(asLine(inner), at2.subshell());
  else if (program === 'parallel') runParallel(inner, stdin, at2, runText);
  else if (program === 'xargs') runInner({ words: fedWords(inner, own, stdin), stdin }, at2.subshell());
  else runInner({ words: inner, stdin }, at2);
  return true;
}

/** The index behind the wrapper's given options, assignments and fixed operands. */
function commandStart(words: readonly Word[], spec: Wrapper): number {
  let skip = spec.skip ?? 0;
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text;
    if (text === '--') return at + 1 + skip;
    // `env -` is `env -i`.
    if (text === '-') continue;
    if (text?.startsWith('-') && text.length > 1) {
      const [word = plain('')] = words.slice(at);
      const isValued = sortOptions([word, plain('value')], spec).operands.length === 0;
      if (isValued && at + 1 < words.length) at += 1;
    } else if (text === undefined || !/^\w+=/.test(text)) {
      if (skip === 0) return at;
      skip -= 1;
    }
  }
  return words.length;
}

/** `xargs` puts its input at the end, or in the place of its mark. */
function fedWords(words: readonly Word[], own: Options, stdin: Stdin): readonly Word[] {
  const hasMark = own.has('I', 'i', 'replace');
  const isByLine = hasMark || own.has('0', 'null', 'd', 'delimiter');
  const all = own.has('a', 'arg-file') ? [unknownWord] : wordsIn(stdin);
  const given = isByLine ? all : all.filter(({ text }) => !/\s/.test(text));
  if (!hasMark) return [...words, ...given];
  const mark = own.value('I', 'replace')?.text ?? '{}';
  return words.flatMap((word) => (word.text.includes(mark) ? substituted(word, mark, given) : [word]));
}

function substituted(word: Word, mark: string, given: readonly Word[]): readonly Word[] {
  return given.map((one) => plain(word.text.replaceAll(mark, one.text)));
}

/** GNU parallel runs its command line in a shell, once for each word behind `:::` or on its input. */
function runParallel(words: readonly Word[], stdin: Stdin, state: State, runText: RunText): void {
  const at = words.findIndex(({ text }) => /^:::/.test(text));
  const line = asLine(at === -1 ? words : words.slice(0, at));
  const given = at === -1 ? wordsIn(stdin) : words.slice(at + 1);
  const texts = given.map(({ text }) => text.replace(/\u0000\d+\u0000/g, unread.any));
  // Which words stand for which mark is not modelled.
  const lines = line === '' ? texts : [`${line} ${texts.join(' ')}`.replace(/\{[^}\s]*\}/g, unread.any)];
  for (const one of lines) runText(one, state.subshell());
}
