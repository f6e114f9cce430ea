import readline from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Asks once. Only `y` or `yes` is a yes, an end of the input or anything else a no; an interrupt ends the program, as anywhere. */
export function askYes(question: string, input: Readable, output: Writable): Promise<boolean> {
  const asked = readline.createInterface({ input, output, terminal: false });
  return new Promise((resolve) => {
    asked.once('close', () => resolve(false));
    asked.question(question, (answer) => {
      resolve(/^\s*y(?:es)?\s*$/i.test(answer));
      asked.close();
    });
  });
}
