import { complaintsIn, countOf } from '../../calls/checks/index.ts';
import { oneLine } from '../../calls/text/index.ts';

/** The line of an output that says what went wrong: an error, else a count of failures, else the last line. */
export function complaintIn(output: string): string {
  // Errors stand at the end far more often than in the middle of a long output.
  const tail = output.slice(-tailChars);
  const lines = tail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const said =
    complaintsIn(tail)[0]?.shown ?? lines.find((line) => countOf(line) === 'failed') ?? lines.at(-1);
  return oneLine(said ?? '', 160);
}

const tailChars = 8_000;
