import { spawn } from 'node:child_process';
import path from 'node:path';
import { bestEffort, Failure, faultNumber, messageOf } from '#core/platform';
import type { Environment } from '#core/workspace';
import { localPath, mustHoldNoCredential, notSent, withoutCredential } from './address.ts';
import { throughGate } from './gate.ts';

export interface GitRan {
  /** Null when it was ended by a signal. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

interface GitOptions {
  readonly input: string | Buffer;
  readonly env: Environment;
  /** It is ended when it writes nothing for so long. */
  readonly silentMs: number;
}

// A remote that says nothing for so long hangs.
const silentMsMax = 30_000;
const localMsMax = 60_000;
const networkMsMax = 30 * 60_000;
const outputBytesMax = 256 * 1024 * 1024;
const errorCharsMax = 8_000;

/**
 * Git in a bare clone of memd's own. No hook, no prompt, no monitor, no automatic maintenance; nothing of the user's repository. The user's
 * settings for networks stay in force: credentials, proxies, ssh.
 */
export class Git {
  readonly folder: string;
  readonly #env: Environment;
  #ssh: string | null = null;

  constructor(folder: string, env: Environment) {
    this.folder = folder;
    this.#env = env;
  }

  /** @throws Failure `sync_git` when it fails */
  async local(args: readonly string[], input: string | Buffer = '', index?: string): Promise<Buffer> {
    const more = index === undefined ? {} : { GIT_INDEX_FILE: index };
    const ran = await this.run(args, { input, env: more, silentMs: networkMsMax });
    if (ran.code === 0) return ran.stdout;
    throw new Failure('sync_git', `git ${args[0]} failed in ${this.folder}: ${lastLine(ran.stderr)}`, {
      safe: 'your memory is untouched',
      repair: `run \`rm -r ${this.folder}\` and \`memd sync\`, which makes that copy again`,
    });
  }

  /** A command that talks to the remote at `address`. @throws Failure `sync_timeout`, `sync_remote`, `sync_address` */
  async remote(args: readonly string[], address: string, refs: string): Promise<GitRan> {
    mustHoldNoCredential({ remote: address });
    const silentMs = faultNumber('sync.silent.ms', silentMsMax);
    const local = localPath(address);
    if (local !== null) {
      const gate = path.join(path.dirname(this.folder), 'gate.git');
      return throughGate(local, gate, (at) =>
        this.run([...allowed('file'), ...args, '--', at, refs], { silentMs }),
      );
    }
    this.#ssh ??= await this.#sshCommand();
    // Not `file`: a name that the user's settings replace by a path would get past the gate.
    const words = [...allowed('http', 'https', 'ssh', 'git'), ...args, '--', address, refs];
    return this.run(words, { env: { GIT_SSH_COMMAND: this.#ssh }, silentMs });
  }

  run(
    args: readonly string[],
    { input = '', env = {}, silentMs = localMsMax }: Partial<GitOptions> = {},
  ): Promise<GitRan> {
    return new Promise((resolve, reject) => {
      const child = spawn('git', ['--no-pager', ...settings, ...args], {
        cwd: '/',
        env: { ...environment(this.#env, this.folder), ...withoutEmpty(env) },
        // A group of its own, so that an ssh that it started ends with it; without a terminal, so that nothing can ask there.
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const out: Buffer[] = [];
      let bytes = 0;
      let stderr = '';
      let failure: Failure | null = null;
      const end = (why: Failure): void => {
        failure ??= why;
        endGroup(child.pid);
      };
      const timedOut = (): void => end(silent(silentMs));
      let timer = setTimeout(timedOut, silentMs);
      const all = setTimeout(() => end(silent(networkMsMax)), networkMsMax);
      const heard = (): void => {
        clearTimeout(timer);
        timer = setTimeout(timedOut, silentMs);
      };
      const interrupted = (): void => {
        endGroup(child.pid);
        process.exit(130);
      };
      process.once('SIGINT', interrupted);
      child.stdout.on('data', (chunk: Buffer) => {
        heard();
        bytes += chunk.length;
        if (bytes > outputBytesMax) end(new Failure('sync_git', `git ${args[0]} wrote more than memd reads`));
        else out.push(chunk);
      });
      child.stderr.on('data', (chunk: Buffer) => {
        heard();
        stderr = (stderr + chunk.toString('utf8')).slice(-errorCharsMax);
      });
      child.stdin.on('error', () => {
        // It ended without reading all: its exit says why.
      });
      child.stdin.end(input);
      const settle = (code: number | null, error: Error | null): void => {
        clearTimeout(timer);
        clearTimeout(all);
        process.off('SIGINT', interrupted);
        if (failure !== null) reject(failure);
        else if (error !== null) reject(noGit(error));
        else resolve({ code, stdout: Buffer.concat(out), stderr });
      };
      child.once('error', (error) => settle(null, error));
      child.once('close', (code) => settle(code, null));
    });
  }

  /** The user's own command for ssh, else one that asks nothing. */
  async #sshCommand(): Promise<string> {
    const { GIT_SSH_COMMAND, GIT_SSH } = this.#env;
    if (GIT_SSH_COMMAND) return GIT_SSH_COMMAND;
    if (GIT_SSH) return '';
    const { code } = await this.run(['config', '--get', 'core.sshCommand']);
    return code === 0 ? '' : 'ssh -o BatchMode=yes -o ConnectTimeout=20';
  }
}

/** Every scheme is named: the user's own setting for one would win over `protocol.allow`. */
const allowed = (...schemes: readonly string[]): string[] =>
  ['file', 'ext', 'fd', 'http', 'https', 'ssh', 'git', 'ftp', 'ftps'].flatMap((scheme) => [
    '-c',
    `protocol.${scheme}.allow=${schemes.includes(scheme) ? 'always' : 'never'}`,
  ]);

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  'gc.auto=0',
  'maintenance.auto=false',
  'push.gpgSign=false',
  'push.followTags=false',
  'fetch.recurseSubmodules=false',
  'fetch.writeCommitGraph=false',
  // What others pushed is checked here, file by file; a tree that git finds odd must not stop that.
  'fetch.fsckObjects=false',
  'transfer.fsckObjects=false',
  'transfer.bundleURI=false',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

const kept =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|PROXY_\w+|HTTP_\w+|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|EXEC_PATH)$/;

/** A hook of git's may have called this: what it says about the user's repository is left out. */
function environment(given: Environment, folder: string): Record<string, string> {
  const env = Object.entries(given).filter(([name]) => !name.startsWith('GIT_') || kept.test(name));
  const [name, email] = ['memd', 'memd@localhost'];
  return {
    ...withoutEmpty(Object.fromEntries(env)),
    GIT_DIR: folder,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

function withoutEmpty(env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  // It has ended.
  bestEffort(() => process.kill(-pid, 'SIGKILL'));
}

function silent(ms: number): Failure {
  const what = `the remote did not answer for ${Math.round(ms / 1_000)} s`;
  return notSent(
    what,
    'check the address with `memd sync status`, and run `memd sync` later',
    'sync_timeout',
  );
}

function noGit(error: Error): Failure {
  return new Failure('no_git', `git cannot be started: ${messageOf(error)}`, {
    safe: 'nothing was sent',
    repair: 'install git, and check PATH',
    cause: error,
  });
}

/** The last line that says something; addresses may hold a password. */
export function lastLine(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => /^(?:fatal|error|remote|ssh|!|Permission|Host)/i.test(line));
  const line =
    lines.find((one) => /^fatal|^error|^ssh|denied|^!/i.test(one)) ?? lines.at(-1) ?? 'it said nothing';
  return line.replace(/[a-z+]*:?\/\/[^\s'"]+/gi, withoutCredential).slice(0, 300);
}
