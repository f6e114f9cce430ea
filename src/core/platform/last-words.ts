import { inSentences } from './failure.ts';

/** The last error line of a failed memd command without its name, or the likely cause when it printed none. */
export function lastWords(command: string, stderr: string, signal: string | null): string {
  const said = stderr.split('\n').findLast((line) => line.startsWith('memd: '));
  if (said !== undefined) return said.slice('memd: '.length);
  const cause =
    signal === null
      ? 'run `memd doctor`'
      : `Node.js could not run it (${signal}), mostly for want of threads: raise their limit (ulimit -u)`;
  return inSentences(`${command} ended without a word`, cause);
}
