import { spawn } from 'node:child_process';
import { underGivenUmask } from '#core/platform';
import type { Io } from './io.ts';

const browserFailsWithinMs = 1_000;

/** Opens an address with `BROWSER`, else with the system's own command. Settles with whether a browser started. */
export async function openInBrowser(address: string, env: Io['env']): Promise<boolean> {
  for (const [command = '', ...args] of candidates(address, env.BROWSER)) {
    if (await starts(command, args, env)) return true;
  }
  return false;
}

/** `BROWSER` is a list separated by colons: commands with arguments, `%s` for the address. No shell reads it. */
function candidates(address: string, browser: string | undefined): string[][] {
  if (!browser)
    return [
      ['xdg-open', address],
      ['open', address],
    ];
  const commands = browser.split(':').map((entry) => entry.split(/\s+/).filter(Boolean));
  return commands
    .filter((words) => words.length > 0)
    .map((words) =>
      words.some((word) => word.includes('%s'))
        ? words.map((word) => word.replaceAll('%s', address))
        : [...words, address],
    );
}

/** A command that fails exits soon; one that still runs after a second shows the page. */
function starts(command: string, args: readonly string[], env: Io['env']): Promise<boolean> {
  return new Promise((resolve) => {
    const child = underGivenUmask(() =>
      spawn(command, args, { detached: true, stdio: 'ignore', env: { ...env } }),
    );
    const settle = (isStarted: boolean): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      // A late error concerns nobody.
      child.on('error', () => {});
      child.unref();
      resolve(isStarted);
    };
    const timer = setTimeout(() => settle(true), browserFailsWithinMs);
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
  });
}
