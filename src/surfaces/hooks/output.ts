import fs from 'node:fs';
import { orElse } from '#core/platform';
import type { Answer } from '#guard/writes';

/** Ends a hook with a denial. If stdout fails, the denial is the exit status that most clients know. */
export function exitDenying({ stdout, stderr, status }: Answer): never {
  const isOut = put(1, stdout);
  const reason = isOut ? stderr : `${stderr}${stdout}`;
  put(2, reason);
  process.exit(isOut ? status : 2);
}

/** Ends a hook with output that stops nothing. */
export function exitPrinting({ stdout, stderr }: Omit<Answer, 'status'>): never {
  put(1, stdout);
  put(2, stderr);
  process.exit(0);
}

/** Ends a hook without output to the client: the call goes on. */
export function exitSilently(reason: string | null): never {
  if (reason !== null) put(2, `memd: ${reason}\n`);
  process.exit(0);
}

/** Whether the reader has it. */
export function put(fd: number, text: string): boolean {
  // The pipe is closed.
  return orElse(() => {
    if (text !== '') fs.writeSync(fd, text);
    return true;
  }, false);
}
