import { spawn } from 'node:child_process';
import { processesOf } from './processes.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Wall time in milliseconds. */
  readonly tookMs: number;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard input, empty by default. */
  readonly input?: string;
  /** After that long it counts as hung: its whole process group is killed and the promise is rejected. */
  readonly limitMs?: number;
  /** Called with the process as soon as it runs. */
  readonly running?: (pid: number) => void;
}

/** Far beyond what a session with a scripted model takes, on a busy machine too. */
const hungMs = 180_000;

/** Runs a program in a process group of its own to its end. What it leaves running is for the test to see. */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, input = '', limitMs = hungMs, running }: ProgramOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(command, args, { cwd, env: { ...env }, detached: true });
    const out = collect(child.stdout);
    const err = collect(child.stderr);
    // A program that does not read its input to the end closes it under our hands.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const timer = setTimeout(() => {
      const alive = processesOf(cwd).map((one) => one.command.slice(0, 200));
      if (child.pid !== undefined) killGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      const report = [out(), err(), 'still running:', ...alive].join('\n');
      reject(new Error(`${command} did not end within ${limitMs} ms\n${report}`));
    }, limitMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: out(), stderr: err(), tookMs: performance.now() - begun });
    });
    if (child.pid !== undefined) running?.(child.pid);
  });
}

/** Ends what is left of the group of a process that was started as the head of one. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => parts.push(chunk));
  return () => Buffer.concat(parts).toString('utf8');
}
