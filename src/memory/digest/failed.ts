import { counted, listed, oneLine } from '../../calls/text/index.ts';
import { command } from './quotes.ts';
import type { SessionTally, Trouble } from './tally.ts';

/** The failed checks, repeated failures, and a count of the others, each with its outcome. */
export function failedLine(facts: SessionTally, max: number): string {
  const tests = [...new Set(facts.checks.open().flatMap((check) => [...check.tests]))];
  const checks = facts.checks.failed().map(({ name, failures, failed: said, fixed }) => {
    const times = failures > 1 ? ` ${failures} times` : '';
    const why = said === null || said === '' || fixed ? '' : `: ${oneLine(said, 110)}`;
    return `${command(name, 80)}${times} (${fixed ? 'fixed' : 'still failing'})${why}`;
  });
  const failing = tests.length === 0 ? [] : [`tests ${listed(tests, Math.floor(max / 3), ', ', 3)}`];
  // A failure that the next try fixed is not worth a word.
  const troubles = [...facts.troubles.values()].filter(
    ({ times, fixed, isCommand }) => (isCommand && !fixed) || times >= stubbornTimes,
  );
  const again = troubles.filter(({ times }) => times > 1).sort((one, other) => other.times - one.times);
  const once = troubles.filter(({ times }) => times === 1);
  const last = once.at(-1);
  const others = last === undefined ? [] : [`${counted(once.length, 'other call')}, last ${describe(last)}`];
  // Refusals with a reason are listed as decisions.
  const silent = facts.refusals.filter((words) => words === '').length;
  const refused = silent === 0 ? [] : [`${counted(silent, 'call')} refused`];
  return listed([...checks, ...failing, ...again.map(describe), ...others, ...refused], max, '; ', 7);
}

const stubbornTimes = 3;

function describe({ name, times, fixed, said }: Trouble): string {
  const often = times > 1 ? ` ${times} times` : '';
  return `${command(name, 70)}${often}${fixed ? ' (then done)' : said === '' ? '' : `: ${said}`}`;
}
