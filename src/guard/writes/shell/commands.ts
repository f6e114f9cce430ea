import { shellDepthMax } from '../../../core/limits.ts';
import { isAnywhere } from '../../boundary/index.ts';
import { applyPatchTargets } from '../apply-patch.ts';
import { archiveCommands } from './archives.ts';
import { type RunText, runBuiltin, scriptsAt } from './builtins.ts';
import { fileCommands } from './files.ts';
import { findCommand } from './find.ts';
import { gitCommand } from './git.ts';
import { jobCommands } from './jobs.ts';
import { sortOptions } from './options.ts';
import { patchCommand } from './patch.ts';
import { isShell, runShell } from './shells.ts';
import type { Command, State } from './state.ts';
import { type Invocation, type Stdin, unknownInput, type Word } from './stdin.ts';
import { transferCommands } from './transfers.ts';
import { runWrapped } from './wrappers.ts';

const programs: Readonly<Record<string, Command>> = {
  ...fileCommands,
  ...archiveCommands,
  ...transferCommands,
  ...jobCommands,
  patch: patchCommand,
};

/** Runs one command; `runText` runs the scripts in its arguments. */
export function runCommand({ words, stdin }: Invocation, state: State, runText: RunText): void {
  const [name, ...rest] = words;
  if (name === undefined || state.depth >= shellDepthMax) return;
  const program = name.text.slice(name.text.lastIndexOf('/') + 1);
  const inner = (invocation: Invocation, at: State): void => {
    at.depth += 1;
    runCommand(invocation, at, runText);
    at.depth -= 1;
  };
  if (isAnywhere(program) || (name.pattern !== null && program.length > 1)) {
    // An unknown program may write its arguments: they must not be denied.
    state.emitAll(
      'linked',
      rest.filter(({ text }) => !/^-|[\u0000-\u0003]/.test(text)),
    );
  } else if (runBuiltin(program, { words: rest, stdin }, state, runText)) {
    return;
  } else if (isShell(program)) {
    runShell(rest, stdin, state, runText);
  } else if (program === 'apply_patch' || program === 'applypatch') {
    const texts = rest[0] === undefined ? stdin.texts : [rest[0].text];
    for (const text of texts) {
      for (const target of applyPatchTargets(text, state.cwdCandidates)) state.add(target);
    }
  } else if (program === 'make' || program === 'gmake') {
    runMake(rest, stdin, state, runText);
  } else if (program === 'find') {
    findCommand(rest, state, (found, searching) => inner({ words: found, stdin: unknownInput }, searching));
  } else if (program === 'git') {
    gitCommand(rest, state, stdin, runText);
  } else if (!runWrapped(program, rest, stdin, state, inner, runText)) {
    if (Object.hasOwn(programs, program)) programs[program]?.(rest, state, stdin);
  }
}

/** A makefile on the standard input; its recipes begin with a tab, and with signs for make. */
function runMake(words: readonly Word[], stdin: Stdin, state: State, runText: RunText): void {
  const file = sortOptions(words, { short: 'fCjoW', long: 'file makefile directory' }).value(
    'f',
    'file',
    'makefile',
  );
  if (file === undefined) return;
  for (const text of scriptsAt(file, stdin, state))
    runText(text.replace(/^\t[@+-]*/gm, ''), state.subshell());
}
