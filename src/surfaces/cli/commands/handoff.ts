import { jsonText } from '#core/event';
import { type AddCommand, command, wholeNumber } from '../program.ts';
import { answer } from '../replies.ts';
import { inWidth } from '../show.ts';
import { printable } from '../words.ts';

export const handoffCommand: AddCommand = (program, io) => {
  command(program, 'handoff', 'print what another assistant needs to go on with a session', [
    'mem handoff',
    'mem handoff 38fb3e7a',
  ])
    .argument('[SESSION]', 'id of a session, a prefix of one, or last', 'last')
    .option('--session <ID>', 'same as SESSION')
    .option('--tokens <N>', 'the most tokens, of four characters each', wholeNumber(1))
    .action(async (named: string, options: { session?: string; tokens?: number; json?: boolean }) => {
      const { session = named, tokens, json } = options;
      const request = { session, ...(tokens === undefined ? {} : { tokens }) };
      const { sessionId, text, lines } = await answer('handoff', request, io);
      if (json) return io.out(jsonText({ sessionId, text, lines: [...lines] }, 2));
      // In a pipe it is for an assistant, with the frame that marks it as data.
      io.out(io.isTerminal ? lines.map((line) => inWidth(printable(line), io, 4)).join('\n') : text);
    });
};
