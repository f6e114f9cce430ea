import { spawn } from 'node:child_process';
import { underGivenUmask } from '../../core/platform/index.ts';
import type { Io } from './io.ts';

const browserPatienceMs = 1_000;

/** Opens an address in the user's browser: `BROWSER` where that is set, else what the system has. Whether one took it. */
export async function openInBrowser(address: string, env: Io['env']): Promise<boolean> {
  for (const [command = '', ...args] of candidates(address, env.BROWSER)) {
    if (await takes(command, args, env)) return true;
  }
  return false;
}

/** `BROWSER` is a list separated by colons, each a command with arguments, `%s` in the address's place. No shell reads it. */
function candidates(address: string, browser: string | undefined): string[][] {
  if (!browser)
    return [
      ['xdg-open', address],
      ['open', address],
    ];
  return browser
    .split(':')
    .map((entry) => entry.split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0)
    .map((words) => {
      const filled = words.map((word) => word.replaceAll('%s', address));
      return filled.some((word, at) => word !== words[at]) ? filled : [...words, address];
    });
}

/** One that fails does so at once; one that is still there after a moment is showing the page. */
function takes(command: string, args: readonly string[], env: Io['env']): Promise<boolean> {
  return new Promise((resolve) => {
    const child = underGivenUmask(() =>
      spawn(command, args, { detached: true, stdio: 'ignore', env: { ...env } }),
    );
    const settle = (took: boolean): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      // An error that comes late is nobody's any more.
      child.on('error', () => {});
      child.unref();
      resolve(took);
    };
    const timer = setTimeout(() => settle(true), browserPatienceMs);
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
  });
}
