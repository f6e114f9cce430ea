import readline from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import type { Io } from './io.ts';

/** Whether somebody sees a question and can answer it. */
export function canAsk(io: Io): boolean {
  return process.stdin.isTTY === true && io.isTerminal && io.showsProgress;
}

/** Asks once. `y` or `yes` means yes; anything else, also the end of the input, means no. */
export async function confirm(
  question: string,
  input: Readable = process.stdin,
  output: Writable = process.stderr,
): Promise<boolean> {
  const answer = await answerTo(question, { input, output, terminal: false });
  return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
}

/** The line that is typed after a question; null at the end of the input, also by Ctrl-C and Ctrl-D. */
export function answerTo(question: string, options: readline.ReadLineOptions): Promise<string | null> {
  const terminal = readline.createInterface(options);
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(null));
    terminal.question(question, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}

/** Asks for a line on the terminal without showing it; null where there is no terminal. */
export function askSecret(io: Io, question: string): (() => Promise<string | null>) | null {
  const { stdin } = process;
  if (!io.showsProgress || stdin.isTTY !== true) return null;
  return async () => {
    const output = new Writable({ write: (_bytes, _encoding, done) => done() });
    const answer = answerTo('', { input: stdin, output, terminal: true, historySize: 0 });
    // Behind it nothing is echoed any more.
    process.stderr.write(question);
    await answer;
    process.stderr.write('\n');
    return answer;
  };
}
