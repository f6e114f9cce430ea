import { shellDepthMax } from '#core/limits';
import { isAnywhere } from '#guard/boundary';
import { applyPatchTargets } from '../apply-patch.ts';
import { archiveCommands } from './archives.ts';
import { builtins } from './builtins.ts';
import { fileCommands } from './files.ts';
import { findCommand } from './find.ts';
import { gitCommand } from './git.ts';
import { jobCommands } from './jobs.ts';
import { sortOptions } from './options.ts';
import { patchCommand } from './patch.ts';
import { isShell, runShell } from './shells.ts';
import { type Command, named, type State } from './state.ts';
import { type Invocation, type Stdin, unknownWord, type Word } from './stdin.ts';
import { transferCommands } from './transfers.ts';
import { readOptions, runUnknown, runWrapped } from './wrappers.ts';

const programs: Readonly<Record<string, Command>> = {
  ...fileCommands,
  ...archiveCommands,
  ...transferCommands,
  ...jobCommands,
  patch: patchCommand,
  find: findCommand,
  git: gitCommand,
  ...named('apply_patch applypatch', applyPatch),
  ...named('make gmake', runMake),
};

/** Runs one command. */
export function runCommand({ words, stdin }: Invocation, state: State): void {
  const [name, ...rest] = words;
  if (name === undefined || state.depth >= shellDepthMax) return;
  const program = name.text.slice(name.text.lastIndexOf('/') + 1);
  if (isAnywhere(program) || (name.pattern !== null && program.length > 1)) {
    // An unknown program may write its arguments: they must not be denied.
    const known = rest.filter(({ text }) => !/^-|[\u0000-\u0003]/.test(text));
    state.emitAll('linked', known);
    return;
  }
  if (Object.hasOwn(builtins, program)) {
    builtins[program]?.(rest, state, stdin);
    return;
  }
  // Behind the shell's own `time`: a shell without that word runs the program.
  if (/^(?:-[afov]|-o.+|--output\b.*)$/.test(program)) {
    readOptions('time', words, state);
    runWrapped('time', words, state, stdin);
    return;
  }
  readOptions(program, rest, state);
  if (isShell(program)) runShell(rest, state, stdin);
  else if (Object.hasOwn(programs, program)) programs[program]?.(rest, state, stdin);
  else if (!runWrapped(program, rest, state, stdin)) runUnknown(program, rest, state);
}

export function isKnown(program: string): boolean {
  return Object.hasOwn(programs, program) || isShell(program) || /^(?:npx|npm)$/.test(program);
}

function applyPatch(words: readonly Word[], state: State, stdin: Stdin): void {
  const texts = words[0] === undefined ? stdin.texts : [words[0].text];
  for (const target of texts.flatMap((text) => applyPatchTargets(text, state.cwdCandidates)))
    state.add(target);
}

/** A makefile on the standard input is not read. */
function runMake(words: readonly Word[], state: State): void {
  const options = sortOptions(words, { short: 'fCjoW', long: 'file makefile directory' });
  const files = options.values('f', 'file', 'makefile').map(({ text }) => text);
  if (files.some((file) => /^-$|^\/dev\/|^\/proc\//.test(file))) state.emit('write', unknownWord);
}
