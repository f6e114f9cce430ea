import { counted, listed, oneLine } from '../../calls/text/index.ts';
import type { SessionFacts, Trouble } from './facts.ts';
import { command } from './quotes.ts';

/** The checks that failed, what failed again and again, and how much else did; each with what became of it. */
export function failedLine(facts: SessionFacts, max: number): string {
  const tests = facts.checks.failingTests();
  const checks = facts.checks.failed().map(({ name, failures, said, fixed }) => {
    const times = failures > 1 ? ` ${failures} times` : '';
    const why = said === '' || fixed ? '' : `: ${oneLine(said, 110)}`;
    return `${command(name, 80)}${times} (${fixed ? 'mended' : 'still failing'})${why}`;
  });
  const failing = tests.length === 0 ? [] : [`tests ${listed(tests, Math.floor(max / 3), ', ', 3)}`];
  // What went well at the next try, and an edit that found no place, is worth no word.
  const troubles = [...facts.troubles.values()].filter(
    ({ times, fixed, isCommand }) => (isCommand && !fixed) || times >= stubbornTimes,
  );
  const again = troubles.filter(({ times }) => times > 1).sort((one, other) => other.times - one.times);
  const once = troubles.filter(({ times }) => times === 1);
  const last = once.at(-1);
  const others = last === undefined ? [] : [`${counted(once.length, 'other call')}, last ${tell(last)}`];
  // What was said with the others is told as a decision.
  const silent = facts.refusals.filter((words) => words === '').length;
  const refused = silent === 0 ? [] : [`${counted(silent, 'call')} refused`];
  return listed([...checks, ...failing, ...again.map(tell), ...others, ...refused], max, '; ', 7);
}

const stubbornTimes = 3;

function tell({ name, times, fixed, said }: Trouble): string {
  const often = times > 1 ? ` ${times} times` : '';
  return `${command(name, 70)}${often}${fixed ? ' (then done)' : said === '' ? '' : `: ${said}`}`;
}
