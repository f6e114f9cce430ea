import { Argument } from 'commander';
import { hookNames, loadHook } from '../hook-program.ts';
import { type AddCommand, command } from '../program.ts';

/** A call with a name that is known does not come here: see `main.ts`. */
export const hookCommand: AddCommand = (program) => {
  command(program, 'hook', "run one of the assistants' hooks, with its payload on stdin", [
    `echo '{"tool": "Read", "input": {"file_path": "a.ts"}, "output": "b"}' | memd hook post-tool-use`,
    `echo '{"tool_name": "Write", "tool_input": {"file_path": ".env"}}' | memd hook pre-tool-use`,
  ])
    .addArgument(new Argument('<NAME>', 'which hook').choices(hookNames))
    .argument('[OPTION...]', 'what it takes: --client NAME, for guard --mode warn|block')
    .action((name: string, options: string[]) => loadHook([name, ...options]));
};
