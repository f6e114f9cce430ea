import fs from 'node:fs';
import { helpColumns } from '#core/limits';
import { version } from '../../core/version.ts';
import type { ProgramSpec } from './program.ts';
import { shippedText } from './shipped.ts';

const specs = {
  mem: async () => (await import('./mem.ts')).mem,
  memd: async () => (await import('./memd.ts')).memd,
};

/** Runs a program, unless it is only asked for its version or help. */
export async function runMain(name: 'memd' | 'mem', argv: readonly string[]): Promise<void> {
  if (printsHelp(name, argv)) return;
  const [{ runProgram }, { systemIo }, spec] = await Promise.all([
    import('./program.ts'),
    import('./io.ts'),
    specs[name](),
  ]);
  const isOf = ({ groups }: ProgramSpec): boolean =>
    groups.some(({ commands }) => Object.hasOwn(commands, argv[0] ?? ''));
  const io = systemIo();
  if (!isOf(spec)) {
    const other = await specs[name === 'mem' ? 'memd' : 'mem']();
    if (isOf(other)) {
      io.note(`${name}: ${argv[0]} is a command of ${other.name}. Run \`${other.name} ${argv[0]}\`.`);
      process.exitCode = 2;
      return;
    }
  }
  process.exitCode = await runProgram(spec, io, argv);
}

/** Answers `--version` and `--help` from a text of the build: to load all commands for it would be slow. False for other words. */
function printsHelp(name: string, argv: readonly string[]): boolean {
  const [word, ...more] = argv;
  if (more.length > 0) return false;
  if (word === '-V' || word === '--version') return print(`${version}\n`);
  if (word !== '-h' && word !== '--help') return false;
  // The text is made for 80 columns.
  if (process.stdout.columns < helpColumns) return false;
  const text = shippedText(`help/${name}.txt`);
  return text !== null && print(text);
}

function print(text: string): true {
  try {
    fs.writeSync(1, text);
  } catch (error) {
    // `memd --help | true` is not a failure, and a slow reader is waited for.
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EAGAIN') process.stdout.write(text);
    else if (code !== 'EPIPE') {
      process.stderr.write(`Cannot write to standard output: ${String(code)}\n`);
      process.exitCode = 1;
    }
  }
  return true;
}
