import { escapedJson, type Json, jsonText, parseObject } from '../../../core/event/index.ts';
import { checkOwnFile, pause } from '../../../core/platform/index.ts';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, wholeNumber } from '../program.ts';
import { Tail } from '../tail.ts';
import { printable } from '../words.ts';

const logPollMs = 200;

interface Options {
  readonly follow?: boolean;
  readonly lines: number;
  readonly json?: boolean;
}

export const logsCommand: AddCommand = (program, io) => {
  command(program, 'logs', "show the daemon's log", ['memd logs', 'memd logs -n 100', 'memd logs -f'])
    .option('-f, --follow', 'keep showing new lines')
    .option('-n, --lines <N>', 'number of lines from the end', wholeNumber(0), 30)
    .action(async (options: Options) => {
      const show = (line: string): void => io.out(options.json ? escapedJson(line) : readable(line, io));
      const file = workspaceOf(io).daemonLog;
      checkOwnFile(file);
      const tail = new Tail(file);
      const lines = tail.added();
      if (!tail.isOpen) io.note(`there is no log yet (${file})`);
      if (!options.follow && tail.rest !== '') lines.push(tail.rest);
      for (const line of lines.slice(Math.max(0, lines.length - options.lines))) show(line);
      if (options.follow) await follow(tail, show);
      tail.close();
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

/** Until the command is interrupted. */
async function follow(tail: Tail, show: (line: string) => void): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  while (!stop.signal.aborted) {
    for (const line of tail.added()) show(line);
    await pause(logPollMs, stop.signal);
  }
}
