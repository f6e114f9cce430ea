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
  // `Expected values to be equal:` says nothing without what follows.
  const at =
    said !== undefined && /\b(?:equal|match|expected)\b.*:$/i.test(said) ? lines.lastIndexOf(said) : -1;
  const more =
    at < 0 ? [] : lines.slice(at + 1, at + 4).filter((line) => !/^\+ actual - expected/.test(line));
  return oneLine([said ?? '', ...more.slice(0, 2)].join(' '), 160);
}

const tailChars = 8_000;
