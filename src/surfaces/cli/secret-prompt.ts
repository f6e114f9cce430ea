import readline from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from './io.ts';

/** Asks for a line on the terminal without showing it; null where there is no terminal. */
export function askSecret(io: Io, question: string): (() => Promise<string | null>) | null {
  const { stdin } = process;
  if (!io.showsProgress || stdin.isTTY !== true) return null;
  return () =>
    new Promise((resolve) => {
      const output = new Writable({ write: (_bytes, _encoding, done) => done() });
      const terminal = readline.createInterface({ input: stdin, output, terminal: true, historySize: 0 });
      // Behind it nothing is echoed any more.
      process.stderr.write(question);
      // Also by Ctrl-C and Ctrl-D.
      terminal.once('close', () => {
        process.stderr.write('\n');
        resolve(null);
      });
      terminal.question('', (answer) => {
        resolve(answer);
        terminal.close();
      });
    });
}
