import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { escapedJson, type Json, jsonText, parseObject } from '#core/event';
import { checkOwnFile, Failure, messageOf, readIfThere } from '#core/platform';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, countOption } from '../program.ts';
import { printable } from '../words.ts';

export const logsCommand: AddCommand = (program, io) => {
  const added = command(program, 'logs', "show the daemon's log", [
    'memd logs',
    'memd logs -k 100',
    'memd logs -f',
  ]);
  countOption(added, 'number of lines from the end', { fallback: 30, min: 0, former: '-n, --lines <N>' })
    .option('-f, --follow', 'keep showing new lines')
    .action(async (options: { follow?: boolean; number: number; json?: boolean }) => {
      const show = (line: string): void => io.raw(options.json ? escapedJson(line) : readable(line, io));
      const file = workspaceOf(io).daemonLog;
      checkOwnFile(file);
      const text = readIfThere(file);
      if (text === null) io.note(`there is no log yet (${file})`);
      if (options.follow) return follow(file, options.number, show);
      const lines = (text ?? '').split('\n').filter(Boolean);
      for (const line of lines.slice(Math.max(0, lines.length - options.number))) show(line);
    });
};

const levels: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

function readable(line: string, io: Io): string {
  const entry = parseObject(line);
  // A line that a crash has cut.
  if (entry === null) return printable(line);
  const { level, time, msg, pid: _pid, ...rest } = entry;
  const name = levels[Number(level)] ?? 'note';
  const colour = Number(level) >= 50 ? 'red' : Number(level) >= 40 ? 'yellow' : 'dim';
  const fields = Object.entries(rest).map(([key, value]) => `${printable(key)}=${plain(value)}`);
  const head = `${io.style('dim', plain(time))} ${io.style(colour, name.padEnd(5))}`;
  return `${head} ${plain(msg)} ${io.style('dim', fields.join(' '))}`;
}

function plain(value: Json | undefined): string {
  return printable(typeof value === 'string' ? value : jsonText(value ?? null));
}

/** By `tail`, which follows a file through its rotation, until the command is interrupted. */
async function follow(file: string, lines: number, show: (line: string) => void): Promise<void> {
  const tail = spawn('tail', ['-n', String(lines), '-F', file], { stdio: ['ignore', 'pipe', 'ignore'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => tail.kill());
  const missing = new Promise<never>((_, reject) => {
    tail.once('error', (error) =>
      reject(
        new Failure('no_tail', `tail cannot be started: ${messageOf(error)}`, {
          repair: 'run `memd logs` without -f',
        }),
      ),
    );
  });
  const shown = async (): Promise<void> => {
    for await (const line of createInterface({ input: tail.stdout })) if (line !== '') show(line);
  };
  await Promise.race([shown(), missing]);
}
