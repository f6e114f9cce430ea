import { Argument } from 'commander';
import { Failure } from '#core/platform';
import { type AddCommand, plainCommand } from '../program.ts';
import { shippedText } from '../shipped.ts';

export const completionCommand: AddCommand = (program, io) => {
  const name = program.name();
  plainCommand(program, 'completion', 'print a completion script for your shell', [
    `source <(${name} completion bash)        # in ~/.bashrc`,
    `source <(${name} completion zsh)         # in ~/.zshrc, after compinit`,
    `${name} completion fish > ~/.config/fish/completions/${name}.fish`,
  ])
    .addArgument(new Argument('<SHELL>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: string) => {
      const script = shippedText(`completion/${name}.${shell}`);
      if (script === null)
        throw new Failure('not_built', 'this build has no completion scripts', {
          repair: 'run `npm run build`',
        });
      io.raw(script.trimEnd());
    });
};
