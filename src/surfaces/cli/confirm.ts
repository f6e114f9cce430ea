import readline from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Io } from './io.ts';

/** Whether somebody sees a question and can answer it. */
export function canAsk(io: Io): boolean {
  return process.stdin.isTTY === true && io.isTerminal && io.showsProgress;
}

/** Asks once. `y` or `yes` means yes; anything else, also the end of the input, means no. */
export function confirm(
  question: string,
  input: Readable = process.stdin,
  output: Writable = process.stderr,
): Promise<boolean> {
  const terminal = readline.createInterface({ input, output, terminal: false });
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(false));
    terminal.question(question, (answer) => {
      resolve(/^\s*y(?:es)?\s*$/i.test(answer));
      terminal.close();
    });
  });
}
