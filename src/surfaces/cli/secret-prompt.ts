import { Writable } from 'node:stream';
import { answerTo } from './confirm.ts';
import type { Io } from './io.ts';

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
