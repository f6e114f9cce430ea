import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * What git prints about the repository in `folder`; null without git, outside of a repository, and when it takes longer than `timeoutMs`.
 * Reads only: no lock of the index, no hook, no monitor, no pager, no network, no setting of the user or the system, and no `git` that
 * the folder itself holds. A repository's own
 * settings can name programs; those that a reading command would run are set here.
 */
export function gitOutput(
  folder: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string | null> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'];
  return new Promise((resolve) => {
    execFile(
      'git',
      ['--no-pager', ...safe, ...args],
      {
        cwd: folder,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: outputBytesMax,
        env: environment(folder),
      },
      (error, stdout) => resolve(error === null ? stdout : null),
    );
  });
}

const outputBytesMax = 4 * 1024 * 1024;

/** The search path without folders of the workspace, whose `git` would be anyone's. */
export function programFolders(root: string): string {
  const real = realOr(root);
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isInside(real, realOr(folder)))
    .join(path.delimiter);
}

function realOr(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return folder;
  }
}

export function isInside(folder: string, file: string): boolean {
  const rest = path.relative(folder, file);
  return rest === '' || !(rest === '..' || rest.startsWith(`..${path.sep}`) || path.isAbsolute(rest));
}

function environment(root: string): NodeJS.ProcessEnv {
  return {
    PATH: programFolders(root),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone would fetch what it lacks.
    GIT_NO_LAZY_FETCH: '1',
  };
}
