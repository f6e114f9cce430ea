import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { dist, type Home } from '../support/home.ts';

/** How long a daemon may take to do what it must do at once, before it counts as hung; a large database is copied at its upgrade. */
const hungMs = process.env.MEMD_UPGRADE_FROM === undefined ? 60_000 : 1_800_000;

/** Where `disk-image.cjs` keeps what a power loss would leave. */
export function imagesOf(home: Home): string {
  return path.join(home.folder, 'disk');
}

/** A daemon run as a child, without the commands around it, with faults. */
export class Daemon {
  readonly pid: number;
  /** Settles with the signal or the exit code that ended it. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #ready: Promise<boolean>;
  stderr = '';
  hasEnded = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(signal ?? `exit ${code}`));
    });
    this.#ready = new Promise((resolve) => {
      child.stderr?.on('data', (chunk: Buffer) => {
        this.stderr += chunk.toString();
        if (this.stderr.includes('ready\n')) resolve(true);
      });
      void this.ended.then(() => {
        this.hasEnded = true;
        resolve(false);
      });
    });
  }

  /** `before` is a command to run it under (a tracer). */
  static spawn(home: Home, faults: string, before: readonly string[] = []): Daemon {
    const { root, namespace } = home.workspace();
    fs.mkdirSync(imagesOf(home), { recursive: true });
    const preload = path.join(import.meta.dirname, 'disk-image.cjs');
    const args = [
      '--require',
      preload,
      path.join(dist, 'daemon.cjs'),
      '--root',
      root,
      '--namespace',
      namespace,
    ];
    const [command = process.execPath, ...rest] = [...before, process.execPath, ...args];
    const env = home.env(faults === '' ? {} : { MEMD_FAULTS: faults, MEMD_FAULTS_DISK: imagesOf(home) });
    // A tracer counts the calls of each thread by itself: one thread does all of them.
    if (before.length > 0) env.UV_THREADPOOL_SIZE = '1';
    const child = spawn(command, rest, { cwd: home.folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    return new Daemon(child);
  }

  /** Whether it has come to serve, or ended before that. */
  ready(): Promise<boolean> {
    return within(this.#ready, 'the daemon to be ready or to end', () => this.kill('SIGKILL'));
  }

  /** Settles when it has ended by itself. */
  gone(): Promise<string> {
    return within(this.ended, 'the end of a daemon that hung up', () => this.kill('SIGKILL'));
  }

  /** Ends it, if no fault has. */
  async end(signal: NodeJS.Signals): Promise<string> {
    this.kill(signal);
    return within(this.ended, `the daemon's end by ${signal}`, () => this.kill('SIGKILL'));
  }

  kill(signal: NodeJS.Signals): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
  }
}

async function within<T>(promise: Promise<T>, what: string, tooLate: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      tooLate();
      reject(new Error(`waited ${hungMs} ms for ${what}`));
    }, hungMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
