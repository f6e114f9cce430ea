import { Argument } from 'commander';
import { hookNames, loadHook } from '../hook-program.ts';
import { type AddCommand, command } from '../program.ts';

/** A call with a name that is known does not come here: see `main.ts`. */
export const hookCommand: AddCommand = (program) => {
  command(program, 'hook', "run one of the assistants' hooks, with its payload on stdin", [
    'memd hook post-tool-use < payload.json',
    'memd hook pre-tool-use --client codex < payload.json',
  ])
    .addArgument(new Argument('<NAME>', 'which hook').choices(hookNames))
    .argument('[OPTION...]', 'what it takes: --client NAME, for guard --mode warn|block')
    .action((name: string, options: string[]) => loadHook([name, ...options]));
};
