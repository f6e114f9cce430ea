import { type Call, commandText } from '#reading/call';
import { edgesOf } from '#reading/text';
import { commandRun } from './run.ts';

/** The program, script or module that a command could not find, or null. It is not a failing test. */
export function missingIn(call: Call): string | null {
  const { text, refused, cancelled } = call.result;
  if (refused || cancelled) return null;
  const command = commandText(call);
  if (command === '' || asking.test(command)) return null;
  for (const line of edgesOf(text, edgeChars).split('\n').slice(0, linesMax)) {
    for (const pattern of patterns) {
      const name = pattern.exec(line.trim())?.[1]?.replace(/^.*\//, '');
      if (name === undefined || !mentions(command, name)) continue;
      // A program that lacks a subcommand is there.
      const words = command.split(/\s+/);
      const at = line.includes('subcommand') ? words.indexOf(name) : 0;
      return at > 0 ? words.slice(at - 1, at + 1).join(' ') : name;
    }
  }
  return null;
}

/** The programs that a command ran and found. */
export function foundIn(call: Call): readonly string[] {
  const { exitCode, refused, cancelled } = call.result;
  if (refused || cancelled || exitCode === 127 || missingIn(call) !== null) return [];
  return commandRun(call).shell.programs.flatMap((program) => [
    program.split(' ')[0] ?? '',
    ...program.split(' ').slice(-1),
  ]);
}

const edgeChars = 1_500;
const linesMax = 60;

/** It looks whether a program exists. */
const asking = /^\s*(?:cd\s[^;&|]*&&\s*)?(?:which|type|whereis|command -v|hash)\b/;

const patterns: readonly RegExp[] = [
  /^(?:.{0,80}: )?(?:line \d+: |\d+: )?([\w./@+-]+): (?:command )?not found$/,
  /^(?:zsh|bash|sh|fish)?(?::\d+)?:? ?command not found: ([\w./@+-]+)$/,
  /^'?([\w.-]+)'? is not recognized as an internal or external command/,
  /^(?:npm (?:ERR!|error) |ERR_PNPM_NO_SCRIPT\s+)?[Mm]issing script:? "?([\w:.-]+)"?/,
  /\bCommand "([\w.-]+)" not found$/,
  /^error: Script not found "([\w:.-]+)"/,
  /^error: Script "([\w:.-]+)" not found/,
  /^error: unrecognized subcommand '([\w-]+)'$/,
  /: No module named '?([\w.]+)'?$/,
  /exec: "([\w.-]+)": executable file not found in \$PATH/,
  /^(?:\/usr\/bin\/)?env: [‘'“"]?([\w.-]+)[’'”"]?: No such file or directory$/,
];

/** The text may be any output, and then names what the command does not. */
function mentions(command: string, name: string): boolean {
  const at = command.indexOf(name);
  return at >= 0 && !/[\w]/.test(command[at + name.length] ?? '');
}
