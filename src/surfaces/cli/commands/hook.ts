import { Argument } from 'commander';
import { hookNames, loadHook } from '../hook-program.ts';
import { type AddCommand, plainCommand } from '../program.ts';

/** For help and wrong names only: `main.ts` runs a known hook without this module. */
export const hookCommand: AddCommand = (program) => {
  plainCommand(program, 'hook', 'run a hook with its payload on stdin', [
    `echo '{"tool": "Read", "input": {"file_path": "a.ts"}, "output": "b"}' | memd hook post-tool-use`,
    `echo '{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": ".env"}}' | memd hook pre-tool-use`,
  ])
    .addArgument(new Argument('<NAME>', 'which hook').choices(hookNames))
    .argument('[OPTION...]', 'options of the hook: --client NAME; for guard also --mode warn|block')
    .action((name: string, options: string[]) => loadHook([name, ...options]));
};
