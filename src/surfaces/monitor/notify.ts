import { spawn } from 'node:child_process';

const notifyTimeoutMs = 5_000;

/**
 * Shows a notification on the desktop, where there is one: `notify-send`, or `osascript` on macOS. No shell reads the texts; a
 * program that is missing or fails is left alone, and one that hangs is ended after `notifyTimeoutMs`, or with `stop`.
 */
export function notify(
  title: string,
  text: string,
  { env, stop }: { readonly env: Readonly<Record<string, string | undefined>>; readonly stop: AbortSignal },
): void {
  const [command = '', ...args] =
    process.platform === 'darwin' ? appleScript(title, text) : freedesktop(title, text);
  try {
    const child = spawn(command, args, {
      env: { ...env },
      stdio: 'ignore',
      timeout: notifyTimeoutMs,
      killSignal: 'SIGKILL',
      signal: stop,
    });
    // There is no desktop here, or the watching has ended; stderr has told it already.
    child.on('error', () => {});
  } catch {
    // No process can be started at all: the same.
    return;
  }
}

function freedesktop(title: string, text: string): string[] {
  return ['notify-send', '--app-name=memd', '--', title, text];
}

/** The texts are arguments of the script, never a part of it. */
function appleScript(title: string, text: string): string[] {
  const show = 'display notification (item 2 of argv) with title (item 1 of argv)';
  return ['osascript', '-e', 'on run argv', '-e', show, '-e', 'end run', title, text];
}
