import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { bestEffort } from './failure.ts';
import { realOrSame } from './spelling.ts';

interface GitLimits {
  readonly timeoutMs: number;
  /** Of the output; what comes after is left out. */
  readonly bytesMax: number;
  /** Nobody waits for it. */
  readonly isBackground?: boolean;
  /** For its standard input. */
  readonly input?: string;
  /** Of the output. */
  readonly encoding?: 'utf8' | 'latin1';
}

/** What a git command printed; `whole` is false when a limit or an error ended it, or when it ended with a code above 0. */
interface GitAnswer {
  readonly text: string;
  readonly whole: boolean;
  /** Null when it did not end by itself. */
  readonly code: number | null;
}

/**
 * Runs a reading git command in `root` and nothing else: no setting of the repository can start a program, nothing is fetched and
 * nothing is written. Settings of the user are not read either, nor a repository above `root`, nor a `git` that `root` itself holds.
 */
export async function runGit(root: string, args: readonly string[], limits: GitLimits): Promise<GitAnswer> {
  const readsFiles = args[0] === 'status' || args[0] === 'diff';
  if (!readsFiles) return run(root, args, limits);
  const filters = await filtersOf(root, limits);
  // Git of a submodule has filters of its own.
  const [name = '', ...rest] = args;
  return filters === undefined
    ? failed
    : run(root, [...filters.args, name, '--ignore-submodules=dirty', ...rest], limits, filters.env);
}

const failed: GitAnswer = { text: '', whole: false, code: null };

type Settings = Readonly<Record<string, string>>;

/** What empties the programs through which git would read a changed file; undefined when that is not possible. */
async function filtersOf(root: string, limits: GitLimits) {
  // A name that no repository knows shows whether this git reads settings from the environment; before 2.31 it does not.
  const probe = `filter.${randomUUID()}.clean`;
  const asked = ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'];
  const { text, whole, code } = await run(root, asked, limits, settingsOf([probe]));
  // 1: none.
  if (!whole && code !== 1) return undefined;
  const names = [...new Set(text.split('\0').filter((name) => name !== ''))];
  // By the environment, since a name may hold a `=`.
  if (names.includes(probe)) return { args: [], env: settingsOf(names) };
  if (names.some((name) => name.includes('='))) return undefined;
  return { args: names.flatMap((name) => ['-c', `${name}=${emptyOf(name)}`]), env: {} };
}

function settingsOf(names: readonly string[]): Settings {
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(names.length)],
    ...names.flatMap((name, at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, emptyOf(name)],
    ]),
  ]);
}

function emptyOf(name: string): string {
  return name.endsWith('.required') ? 'false' : '';
}

function run(
  root: string,
  args: readonly string[],
  { timeoutMs: timeout, bytesMax: maxBuffer, isBackground, input = '', encoding = 'utf8' }: GitLimits,
  more: Settings = {},
): Promise<GitAnswer> {
  const env = { ...environment(root), ...more };
  const options = { cwd: root, env, timeout, killSignal: 'SIGKILL', maxBuffer, encoding } as const;
  const answer = new Promise<GitAnswer>((resolve) => {
    const child = execFile('git', [...harmless(), ...args], options, (error, stdout) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ text: stdout, whole: error === null, code });
    });
    // Git may end before it has read all.
    child.stdin?.on('error', () => {}).end(input);
    if (isBackground) lowerPriority(child.pid);
  });
  // Too many arguments, or no process left: the same as without git.
  return answer.catch(() => failed);
}

/** What git prints about the repository in `root`; null without git, without a repository, and when it takes longer than `timeoutMs`. */
export async function gitOutput(
  root: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string | null> {
  const { text, whole } = await runGit(root, args, { timeoutMs, bytesMax: outputBytesMax });
  return whole ? text : null;
}

const outputBytesMax = 4 * 1024 * 1024;

/** A repository's own settings can name programs for each of these. */
const harmless = (): string[] => [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    `core.hooksPath=${os.devNull}`,
    `core.attributesFile=${os.devNull}`,
    `core.excludesFile=${os.devNull}`,
    'core.sshCommand=false',
    'core.gitProxy=',
    'core.askPass=',
    'credential.helper=',
    'diff.external=',
    'log.showSignature=false',
    'gpg.program=false',
    'protocol.allow=never',
    'submodule.recurse=false',
    'gc.auto=0',
    'maintenance.auto=false',
  ].flatMap((setting) => ['-c', setting]),
];

function environment(root: string): Record<string, string> {
  return {
    PATH: programFolders(root),
    LC_ALL: 'C',
    GIT_CEILING_DIRECTORIES: path.dirname(root),
    GIT_CONFIG_GLOBAL: os.devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ATTR_NOSYSTEM: '1',
  };
}

function lowerPriority(pid: number | undefined): void {
  // It may have ended already.
  if (pid !== undefined) bestEffort(() => os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL));
}

/** The search path without folders of the workspace, whose `git` would be anyone's. */
function programFolders(root: string): string {
  const real = realOrSame(root);
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isInside(real, realOrSame(folder)))
    .join(path.delimiter);
}

export function isInside(folder: string, file: string): boolean {
  const rest = path.relative(folder, file);
  return rest === '' || !(rest === '..' || rest.startsWith(`..${path.sep}`) || path.isAbsolute(rest));
}
