import { plain, unread } from '#guard/boundary';
import { isOutput, kindOf, looksLikePath } from '../arguments.ts';
import { type OptionSpec, type Options, sortOptions } from './options.ts';
import { asLine } from './shells.ts';
import type { State } from './state.ts';
import { type Stdin, unknownInput, unknownWord, type Word, wordsIn } from './stdin.ts';

/**
 * Programs that run the command in their arguments. Behind the colon stand the letters of their options that take a value, and
 * behind the slash that of the folder.
 */
const wrappers = new Map(
  `nohup prlimit unbuffer setsid linux32 linux64 command builtin busybox toybox chronic firejail eatmydata torsocks
  proxychains proxychains4 rlwrap setpriv systemd-inhibit pkexec dbus-run-session valgrind bunx pnpx uvx setarch taskset
  chroot sudo:ugpChrtTUR/D env:uSP/C unshare:SGR/w systemd-run:pEuMH/d doas:uC nice:n ionice:cnpPu chrt:TPD
  numactl:NCmip timeout:ks gtimeout:ks time:fo stdbuf:ioe perf:eorIp exec:a caffeinate:tw nsenter:tSG fakeroot:slbi
  su:cgGsw runuser:cgGsuw sg:cgGsw script:cEIOBTmo flock:wEc xvfb-run:efnps faketime:f strace:eopsuaEPOIbX
  ltrace:eopsuaEPOIbX watch:n nix-shell:pA npx:cp parallel:jNIaSdL xargs:InPLdEsa`
    .split(/\s+/)
    .map((entry) => {
      const [name = '', letters = '', folder = ''] = entry.split(/[:/]/);
      return [name, { letters: letters + folder, folder }];
    }),
);

/** Wrappers with an operand before the command. */
const withOperand = new Set(
  'su sg flock chroot setarch taskset faketime chrt timeout gtimeout perf'.split(' '),
);

/** Programs that run none of their words, or run them elsewhere; package managers run what stands behind `exec`. */
const leaves = new Set(
  `echo printf grep egrep fgrep rg ag which whereis type help info ls head tail wc stat file diff cmp test [ [[ apt
  apt-get brew dnf yum zypper pacman apk pip pip3 pipx gem docker podman nerdctl kubectl oc helm gh glab mosh az aws
  gcloud python python3 node deno ruby php go cargo jq true false : exit return sleep basename dirname cat`.split(
    /\s+/,
  ),
);
const managers = /^(?:npm|pnpm|yarn|bun)$/;

/** Programs that no word but a program's name is likely to be. */
const sure =
  /^(?:.*\/)?(?:rm|rmdir|mv|cp|ln|tee|dd|unlink|shred|truncate|touch|mkdirp?|chmod|chown|sed|rsync|rimraf|trash-put|trash|del-cli|git|curl|wget|tar|find|(?:ba|z|da|k)?sh)$/;
const sureLine = new RegExp(`(?:^|[;&|({]\\s*)(?:sudo\\s+)?${sure.source.slice(1, -1)}\\s`);

/** Runs the command inside a wrapper; false when `program` is not a wrapper. */
export function runWrapped(program: string, words: readonly Word[], state: State, stdin: Stdin): boolean {
  const wrapper = wrappers.get(program);
  if (wrapper === undefined) return false;
  const spec = { short: wrapper.letters, attached: program === 'xargs' ? 'ile' : '' };
  const start = commandStart(words, spec.short, withOperand.has(program), state);
  const own = sortOptions(words.slice(0, start), spec);
  const inner = words.slice(start);
  const long = 'chdir wd working-directory';
  const folder =
    own.value(wrapper.folder) ?? sortOptions(words.slice(0, start), { long }).value(...long.split(' '));
  const at = folder === undefined && program !== 'env' ? state : state.subshell();
  if (folder !== undefined) at.changeFolder(folder);
  for (const word of ownWrites[program]?.(words.slice(0, start), words, spec) ?? [])
    state.emit('write', word);
  const texts = sortOptions(words, spec).values('c', 'S');
  for (const text of texts) at.run(asLine([text, ...(program === 'env' ? inner : [])]));
  assignOutside(words.slice(0, start), at);
  if (program === 'watch') at.run(asLine(inner));
  else if (program === 'parallel') runForEach(inner, at, stdin);
  else if (program === 'xargs') at.subshell().runInner(fedWords(inner, own, stdin), stdin);
  else at.runInner(inner, stdin);
  return true;
}

function assignOutside(words: readonly Word[], state: State): void {
  for (const { text } of words) {
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) continue;
    state.setValues(name, [plain(value)]);
    state.assignOutside(name, value);
  }
}

type OwnWrites = (
  own: readonly Word[],
  all: readonly Word[],
  spec: OptionSpec,
) => readonly (Word | undefined)[];

const outputOf: OwnWrites = (own, _, spec) => sortOptions(own, spec).values('o');

/** The files that a wrapper writes itself, by its own words and by all. */
const ownWrites: Readonly<Record<string, OwnWrites>> = {
  ...{ time: outputOf, strace: outputOf, ltrace: outputOf, perf: outputOf },
  parallel: (own, _, spec) =>
    sortOptions(own, { ...spec, long: 'joblog results' }).values('joblog', 'results'),
  script: (_, all, spec) => {
    const options = sortOptions(all, spec);
    return [...options.values('I', 'O', 'B', 'T'), ...options.operands];
  },
  flock: (_, all, spec) => sortOptions(all, spec).operands.slice(0, 1),
};

/** GNU parallel runs its line for each word behind `:::` or on its input; without a line the words are lines. */
function runForEach(inner: readonly Word[], state: State, stdin: Stdin): void {
  const marks = inner.findIndex(({ text }) => /^:::/.test(text));
  const line = asLine(marks === -1 ? inner : inner.slice(0, marks)).replace(/\{[^}\s]*\}/g, unread.any);
  const lines = marks === -1 ? wordsIn(stdin) : inner.slice(marks + 1);
  for (const { text } of line === '' ? lines : [plain(`${line} ${unread.any}`)]) state.run(text);
}

/** The index of the command: behind options and their values, assignments and numbers. */
function commandStart(
  words: readonly Word[],
  letters: string | null,
  hasOperand: boolean,
  { findings: { shell } }: State,
): number {
  let skip = hasOperand ? 1 : 0;
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? '';
    const next = words[at + 1]?.text ?? '';
    if (text === '--') return at + 1 + skip;
    // `env -` is `env -i`.
    if (/^-./.test(text)) {
      const isLetters = letters !== null && !text.startsWith('--');
      const isValued = isLetters
        ? letters.includes(text.at(-1) ?? '') &&
          !Array.from(text.slice(1, -1)).some((one) => letters.includes(one))
        : !text.includes('=') && !/^-/.test(next) && !shell.isKnown(next);
      if (isValued) at += 1;
    } else if (text !== '-' && !/^\w+=/.test(text)) {
      if (skip === 0) return at;
      skip -= 1;
    }
  }
  return words.length;
}

/**
 * A program that the tables do not name may run the command in its words: behind `run`, `exec` or `--`, from a program's name
 * on, or as one text (`tmux new 'rm a'`).
 */
export function runUnknown(program: string, words: readonly Word[], state: State): void {
  if (leaves.has(program)) return;
  const output = words.findIndex(({ text }) => text === '-o') + 1;
  if (output > 0 && looksLikePath(words[output]?.text ?? '')) state.emit('write', words[output]);
  const isManager = managers.test(program);
  const starter = isManager ? /^(?:exec|x|dlx)$/ : /^(?:run|exec|x|--)$/;
  const at = words.findIndex(({ text }) => starter.test(text));
  const behind = at === -1 ? words.length : at + 1 + commandStart(words.slice(at + 1), null, false, state);
  const named = isManager ? -1 : words.findIndex(({ text }) => sure.test(text));
  const start = named !== -1 && named < behind ? named : behind;
  for (const { text } of isManager ? [] : words.slice(0, start))
    if (/\s/.test(text) && (sureLine.test(text) || terminals.test(program))) state.run(text);
  const end = words.findIndex(({ text }, index) => index > start && text === ';');
  const inner = words.slice(start, end === -1 ? undefined : end);
  if (inner.length === 0) return;
  // `fd -x rm`, `entr rm /_`
  const isFed = /^(?:fd|fdfind|entr)$/.test(program);
  const marked = inner.map((word) => (isFed && /^\{.*\}$|^\/_$/.test(word.text) ? unknownWord : word));
  const given = isFed && inner.length === 1 ? [...marked, unknownWord] : marked;
  state.subshell().runInner(given, unknownInput);
}

const terminals = /^(?:tmux|screen|zellij|entr|hyperfine|concurrently|watchexec|reflex)$/;

/** Options of any program whose names say that their value is run or written: `--upload-pack`, `--log-file`. */
export function readOptions(program: string, words: readonly Word[], state: State): void {
  if (/^(?:echo|printf|e?grep|test|\[)$/.test(program)) return;
  for (const [at, { text }] of words.entries()) {
    const [, name, attached] = /^--?([a-z][\w-]+)(?:=(.*))?$/is.exec(text) ?? [];
    if (name === undefined || (attached === undefined && !text.startsWith('--'))) continue;
    const value = attached === undefined ? words[at + 1] : plain(attached);
    if (value === undefined || /^-/.test(value.text)) continue;
    if (runs.test(name)) state.run(value.text);
    const kind = kindOf(name);
    const isSure = kind === 'path' || (program === 'git' && name === 'output') || looksLikePath(value.text);
    // `--output json`
    if (isOutput(name) && (kind === 'path' || kind === 'place'))
      state.emit('write', value, isSure ? {} : { onlyIfThere: true });
  }
}

const runs =
  /(?:^|-)(?:exec|command|cmd|extcmd|pack|program|rsh|rsync-path|pre|pager|editor|askpass|run|call|hook|filter|split-string|action|info-script|new-volume-script)$/;

/** `xargs` puts its input at the end, or in the place of its mark. */
function fedWords(words: readonly Word[], own: Options, stdin: Stdin): readonly Word[] {
  const hasMark = own.has('I', 'i', 'replace');
  const isByLine = hasMark || own.has('0', 'null', 'd', 'delimiter');
  const all = own.has('a', 'arg-file') ? [unknownWord] : wordsIn(stdin);
  const given = isByLine ? all : all.filter(({ text }) => !/\s/.test(text));
  if (!hasMark) return [...words, ...given];
  const mark = own.value('I', 'replace')?.text ?? '{}';
  return words.flatMap((word) =>
    word.text.includes(mark) ? given.map((one) => plain(word.text.replaceAll(mark, one.text))) : [word],
  );
}
