/**
 * What a command of ours that failed said on standard error, on one line without its name; what its silence means, where it said
 * nothing. What Node.js says when it cannot even run is left out.
 */
export function lastWords(command: string, stderr: string, signal: string | null): string {
  const said = stderr.split('\n').findLast((line) => line.startsWith('memd: '));
  if (said !== undefined) return said.slice('memd: '.length);
  const cause =
    signal === null
      ? 'run: memd doctor'
      : `Node.js could not run it (${signal}), mostly for want of threads: raise their limit (ulimit -u)`;
  return `${command} ended without a word; ${cause}`;
}
