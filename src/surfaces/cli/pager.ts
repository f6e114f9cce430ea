import { spawnSync } from 'node:child_process';
import type { Io } from './io.ts';

/**
 * Prints a long text; on a terminal through the user's pager (`PAGER`, by default `less -FRX`, which ends by itself when all fits on
 * one screen). Never in a pipe. An empty `PAGER` or `cat` means none.
 */
export function page(text: string, io: Io, { pager }: { readonly pager?: boolean }): void {
  const named = io.env.PAGER ?? 'less -FRX';
  const isWanted = pager !== false && io.isTerminal && io.env.TERM !== 'dumb' && !['', 'cat'].includes(named);
  if (isWanted) {
    // Through a shell, as git and man do: PAGER may have options.
    const env = { ...io.env, LESS: io.env.LESS ?? 'FRX' };
    const input = `${text}\n`;
    const { status, error } = spawnSync(named, { input, stdio: ['pipe', 1, 2], shell: true, env });
    // 126 and 127: the shell cannot run it.
    if (error === undefined && status !== 126 && status !== 127) return;
  }
  io.raw(text);
}
