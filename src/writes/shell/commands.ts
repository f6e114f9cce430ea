import { shellDepthMax } from '../../limits.ts';
import { applyPatchTargets } from '../apply-patch.ts';
import { archiveCommands } from './archives.ts';
import { fileCommands } from './files.ts';
import { findCommand, searchOf } from './find.ts';
import { gitCommand } from './git.ts';
import { sortOptions } from './options.ts';
import { patchCommand } from './patch.ts';
import type { Search, State, Word } from './state.ts';
import { transferCommands } from './transfers.ts';
import { unwrap } from './wrappers.ts';

/** What a command gets on its input: words or a text that stand in the line, or finds of a search. */
export interface Fed {
  readonly words: readonly Word[] | null;
  readonly text: string | null;
  /** The file that the input comes from. */
  readonly file?: Word;
  readonly search?: Search;
}

/** A command with its arguments. */
export interface Invocation {
  readonly words: readonly Word[];
  readonly fed: Fed;
}

/** Tells `state` what one program writes, given its arguments. */
export type Command = (words: readonly Word[], state: State, fed: Fed) => void;

const programs: Readonly<Record<string, Command>> = {
  ...fileCommands,
  ...archiveCommands,
  ...transferCommands,
  git: gitCommand,
  patch: patchCommand,
};

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash']);

/** One command; `runText` runs what it holds as a text. */
export function runCommand(
  { words, fed }: Invocation,
  state: State,
  runText: (text: string, state: State) => void,
): void {
  const [name, ...rest] = words;
  if (name === undefined || name === null) return;
  const program = name.text.slice(name.text.lastIndexOf('/') + 1);
  if (runBuiltin(program, rest, state, runText)) return;
  if (shells.has(program)) {
    runShell(rest, fed, state, runText);
    return;
  }
  if (program === 'apply_patch' || program === 'applypatch') {
    const text = rest[0]?.text ?? fed.text;
    for (const target of applyPatchTargets(text ?? '', state.standing)) state.add(target);
    return;
  }
  if (program === 'find') {
    findCommand(rest, state, (inner, searching) =>
      runCommand({ words: inner, fed: noInput }, searching, runText),
    );
    return;
  }
  const inner = unwrap(program, rest, fed, state);
  if (inner !== null) {
    deeper(inner.state, () => runCommand({ words: inner.words, fed }, inner.state, runText));
    return;
  }
  if (Object.hasOwn(programs, program)) programs[program]?.(rest, state, fed);
}

const noInput: Fed = { words: null, text: null };

/** Commands in commands in commands: at some depth it is no command line that anybody means. */
function deeper(state: State, run: () => void): void {
  if (state.depth >= shellDepthMax) return;
  state.depth += 1;
  run();
  state.depth -= 1;
}

/** What changes the shell itself. */
function runBuiltin(
  program: string,
  words: readonly Word[],
  state: State,
  runText: (text: string, state: State) => void,
): boolean {
  const [first] = sortOptions(words).operands;
  switch (program) {
    case 'cd':
      state.changeFolder(
        words.find((word) => word === null || word.text === '-' || !/^-(?:-|[LPe@]+)$/.test(word.text)),
      );
      return true;
    case 'pushd':
      state.stack.push(state.from);
      state.changeFolder(first);
      return true;
    case 'popd':
      state.from = state.stack.pop() ?? [];
      return true;
    case 'unset':
      for (const word of words) if (word !== null) state.variables.set(word.text, null);
      return true;
    case 'read':
      for (const word of words) if (word !== null) state.variables.set(word.text, null);
      return true;
    case 'eval':
      deeper(state, () => runText(words.map((word) => word?.text ?? '"$unknown"').join(' '), state));
      return true;
    case 'trap':
      if (first) runText(first.text, state.subshell());
      return true;
    default:
      return false;
  }
}

function runShell(
  words: readonly Word[],
  fed: Fed,
  state: State,
  runText: (text: string, state: State) => void,
): void {
  const at = words.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word?.text ?? ''));
  const inner = state.subshell();
  if (at === -1) {
    // A script file is not read; a text that is fed to the shell is.
    const isFile = words.some((word) => word !== null && !/^-/.test(word.text));
    if (!isFile && fed.text !== null) runText(fed.text, inner);
    return;
  }
  inner.positional = words.slice(at + 3);
  const text = words[at + 1]?.text;
  if (text !== undefined) runText(text, inner);
}

/** What a command gives to the next in a pipeline, where its text tells. */
export function outputOf({ words, fed }: Invocation, state: State): Fed {
  const [name, ...rest] = words;
  const program = name?.text ?? '';
  switch (program) {
    case 'echo':
    case 'printf': {
      const told = rest.filter((word) => !/^-[neE]+$/.test(word?.text ?? ''));
      const isFormat = program === 'printf' && told.length > 1;
      const said = isFormat ? told.slice(1) : told;
      // What cannot be told whole is not run: half a line means something else.
      const isKnown = said.every((word) => word !== null && word.pattern === null);
      return {
        words: said,
        text: isKnown ? said.map((word) => word?.text ?? '').join(isFormat ? '\n' : ' ') : null,
      };
    }
    case 'cat':
      return rest.length === 0 ? fed : rest.length === 1 ? { ...noInput, file: rest[0] ?? null } : noInput;
    case 'find':
      return { ...noInput, search: searchOf(rest, state) };
    case 'sort':
    case 'head':
    case 'tail':
    case 'uniq':
    case 'grep':
      return fed.search === undefined ? noInput : fed;
    default:
      return noInput;
  }
}
