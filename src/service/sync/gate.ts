import fs from 'node:fs';
import path from 'node:path';
import { errorCode, type Failure, messageOf } from '#core/platform';
import { notSent } from './address.ts';

// Data of a repository. Its settings and its hooks are programs, and stay outside.
const data = ['objects', 'refs', 'packed-refs', 'shallow'] as const;

/**
 * A remote that is a path, as a repository of memd's own: git that runs there for the user reads the objects and refs of the remote, and no
 * setting or hook of it. `use` gets the folder, which exists that long.
 * @throws Failure `sync_remote`
 */
export async function throughGate<T>(
  remote: string,
  gate: string,
  use: (gate: string) => Promise<T>,
): Promise<T> {
  const repository = repositoryAt(remote);
  fs.rmSync(gate, { recursive: true, force: true });
  fs.mkdirSync(gate, { recursive: true, mode: 0o700 });
  try {
    for (const name of data) fs.symlinkSync(path.join(repository, name), path.join(gate, name));
    fs.writeFileSync(path.join(gate, 'HEAD'), 'ref: refs/heads/main\n');
    const isShared = (fs.statSync(path.join(repository, 'objects')).mode & 0o020) !== 0;
    fs.writeFileSync(path.join(gate, 'config'), settings(isShared));
    return await use(gate);
  } finally {
    fs.rmSync(gate, { recursive: true, force: true });
  }
}

function settings(isShared: boolean): string {
  return `[core]
  repositoryFormatVersion = 0
  bare = true
  hooksPath = /dev/null
  alternateRefsCommand = true
  sharedRepository = ${isShared ? 'group' : 'umask'}
[receive]
  autogc = false
  fsckObjects = false
[gc]
  auto = 0
[maintenance]
  auto = false
`;
}

/** The folder of the path's repository, bare or not. */
function repositoryAt(remote: string): string {
  const found = [path.join(remote, '.git'), remote, `${remote}.git`].find((folder) =>
    ['objects', 'refs'].every((name) => statOf(remote, path.join(folder, name))?.isDirectory()),
  );
  if (found === undefined) {
    // Its repository is where this file says.
    if (statOf(remote, path.join(remote, '.git'))?.isFile())
      throw refused(
        remote,
        'it is a linked worktree or a submodule',
        'run `memd sync init` with the folder of its repository, or of a new one that `git init --bare` makes',
      );
    const why = statOf(remote, remote) === undefined ? 'it does not exist' : 'it is not a git repository';
    throw refused(remote, why, `check the path, or run \`git init --bare ${remote}\``);
  }
  // Its refs are in files of another form.
  if (fs.existsSync(path.join(found, 'reftable')))
    throw refused(remote, 'it keeps its refs as reftable', 'use a repository with `--ref-format=files`');
  return found;
}

function refused(remote: string, why: string, repair: string): Failure {
  return notSent(`the remote ${remote} is refused: ${why}`, repair);
}

function statOf(remote: string, name: string): fs.Stats | undefined {
  try {
    return fs.statSync(name);
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(errorCode(error) ?? '')) return undefined;
    throw refused(remote, messageOf(error), 'check the path and your rights there');
  }
}
