import { complaintsIn, countOf, onlyRepeats, withoutEchoes } from '#reading/checks';
import { oneLine } from '#reading/text';

/** The line of an output that says what went wrong: an error, else a count of failures, else the last line. */
export function complaintIn(output: string): string {
  // Errors stand at the end far more often than in the middle of a long output.
  const tail = output.slice(-tailChars);
  const lines = withoutEchoes(tail.split('\n').map((line) => line.trim())).filter((line) =>
    /[\p{L}\p{N}]/u.test(line),
  );
  const worst = complaintsIn(tail).find(({ shown }) => !gotOver.test(shown));
  const count = lines.find((line) => countOf(line) === 'failed' && !onlyRepeats(line));
  // Tests that pass print errors too: of some that failed only the count is sure, unless the runner says that it stumbled.
  const isAnyones =
    worst?.trouble === 'error' && count !== undefined && /^\d+ fail$/.test(count) && !stumbled.test(tail);
  // What git has not done, it says last; a hook before it may print anything.
  const isLast = nothingDone.test(lines.at(-1) ?? '');
  const repeated = isLast ? -1 : lines.findIndex((line) => onlyRepeats(line) && !/^npm error/.test(line));
  const end = lines.at(repeated > 0 ? repeated - 1 : repeated)?.replace(/^[✔✓].*/u, '');
  const said =
    end !== undefined && nothingDone.test(end)
      ? end
      : ((isAnyones ? undefined : worst?.shown) ?? count ?? end);
  // `Expected values to be equal:` says nothing without what follows.
  const at =
    said !== undefined && /\b(?:equal|match|expected)\b.*:$/i.test(said) ? lines.lastIndexOf(said) : -1;
  const more =
    at < 0 ? [] : lines.slice(at + 1, at + 4).filter((line) => !/^\+ actual - expected/.test(line));
  return oneLine([said ?? '', ...more.slice(0, 2)].join(' '), 160);
}

const nothingDone = /^(?:no changes added to commit|nothing (?:added )?to commit)\b/;
/** The program went on without it. */
const gotOver =
  /\busing (?:the |an )?(?:already|cached|existing|default|fallback)\b|\bfall(?:ing|s)? back\b|\bretrying\b/i;
/** Bun's words for a file that it cannot run. */
const stumbled = /^# Unhandled error between tests$/m;
const tailChars = 8_000;
