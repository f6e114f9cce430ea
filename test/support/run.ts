import { spawn } from 'node:child_process';

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What stdin holds; null is a stdin that says nothing and is never closed. Empty by default. */
  readonly input?: string | Buffer | null;
  /** Instead of `hungMs`, for a program that runs others. */
  readonly endsWithinMs?: number;
  /** Called with the process as soon as it runs. */
  readonly running?: (pid: number) => void;
}

/** The most a command may take before it counts as hung and is killed: far beyond any budget of the product. */
const hungMs = 45_000;

/** Runs a program to its end. Rejects only when it cannot be started or does not end by itself. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd, env: { ...options.env } });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A program that does not read its input to the end closes it under our hands.
    child.stdin.on('error', () => {});
    const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('utf8');
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${args.join(' ')} did not end by itself\n${text(stdout)}\n${text(stderr)}`));
    }, options.endsWithinMs ?? hungMs);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: text(stdout), stderr: text(stderr) });
    });
    if (child.pid !== undefined) options.running?.(child.pid);
    if (options.input !== null) child.stdin.end(options.input ?? '');
  });
}

/** Runs a program that stays: interrupts it as soon as `isAtWork` finds by what it has said, or otherwise, that it is at work. */
export function runUntil(
  command: string,
  args: readonly string[],
  options: RunOptions,
  isAtWork: (said: string) => boolean,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd, env: { ...options.env } });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said.stderr += chunk.toString('utf8');
    });
    child.stdin.end();
    const look = setInterval(() => {
      if (!isAtWork(said.stdout + said.stderr)) return;
      clearInterval(look);
      child.kill('SIGINT');
    }, lookMs);
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${args.join(' ')} was not seen at work\n${said.stdout}\n${said.stderr}`));
    }, options.endsWithinMs ?? hungMs);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(look);
      clearTimeout(timer);
      resolve({ code, signal, ...said });
    });
  });
}

const lookMs = 20;
