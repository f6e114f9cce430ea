import fs from 'node:fs';
import { version } from '../../core/version.ts';
import { shippedText } from './shipped.ts';

/**
 * Answers `--version` and `--help` without loading the program: people and editors ask at every turn, and the help of all
 * commands would load all commands. The text of the help was made of the same program by the build; without it, false.
 */
export function answersAtOnce(name: string, argv: readonly string[]): boolean {
  const [word, ...more] = argv;
  if (more.length > 0) return false;
  if (word === '-V' || word === '--version') return told(`${version}\n`);
  if (word !== '-h' && word !== '--help') return false;
  const text = shippedText(`help/${name}.txt`);
  return text !== null && told(text);
}

function told(text: string): true {
  try {
    fs.writeSync(1, text);
  } catch (error) {
    // A reader that has gone wants no more: `memd --help | true` is no failure. A slow one is waited for.
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EAGAIN') process.stdout.write(text);
    else if (code !== 'EPIPE') {
      process.stderr.write(`standard output cannot be written: ${String(code)}\n`);
      process.exitCode = 1;
    }
  }
  return true;
}
