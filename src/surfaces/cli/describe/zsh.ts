import { bashCompletion } from './bash.ts';
import type { CommandNode } from './tree.ts';

/** For zsh, sourced after `compinit`: bash's completion, by zsh's own reading of it. */
export function zshCompletion(program: CommandNode): string {
  return `autoload -Uz bashcompinit && bashcompinit\n${bashCompletion(program)}`;
}
