import type { Io } from './io.ts';

/** Asks for a line on the terminal without showing it; null where there is no terminal. */
export function askSecret(io: Io, question: string): (() => Promise<string | null>) | null {
  const { stdin } = process;
  if (!io.showsProgress || stdin.isTTY !== true) return null;
  return () =>
    new Promise((resolve) => {
      process.stderr.write(question);
      let typed = '';
      stdin.setRawMode(true);
      stdin.resume();
      const end = (answer: string | null): void => {
        stdin.off('data', take);
        stdin.setRawMode(false);
        stdin.pause();
        process.stderr.write('\n');
        resolve(answer);
      };
      const take = (bytes: Buffer): void => {
        for (const char of bytes.toString('utf8')) {
          if ('\r\n\u0003\u0004'.includes(char)) {
            end(char === '\r' || char === '\n' ? typed : null);
            return;
          }
          if (char === '\u007f' || char === '\b') typed = typed.slice(0, -1);
          else typed += char;
        }
      };
      stdin.on('data', take);
    });
}
