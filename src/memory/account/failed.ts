import { counted, listed, oneLine } from '#reading/text';
import type { Check, SessionAccount, Trouble } from './account.ts';
import { isOpenCheck } from './ended.ts';
import { command } from './words.ts';

/** The failed checks, repeated failures, and a count of the others, each with its outcome. */
export function failedLine({ checks, troubles }: SessionAccount, max: number): string {
  const bad = checks.filter(({ failures, isMoot }) => failures > 0 && !isMoot);
  // Of what failed and was fixed only the first ones are shown.
  const fixed = bad.filter((check) => !isOpenCheck(check));
  const words = ({ name }: Check): string => command(name, nameCharsMax);
  // Long names may differ only where they are cut.
  const first = fixed.filter((one, at) => fixed.findIndex((other) => words(other) === words(one)) === at);
  const shown = [...bad.filter(isOpenCheck), ...first.slice(0, fixedMax)];
  const named = shown.map((check) => {
    const { failures, failed } = check;
    const times = failures > 1 ? ` ${failures} times` : '';
    const open = isOpenCheck(check);
    const why = !open || failed === null || failed.said === '' ? '' : `: ${oneLine(failed.said, 110)}`;
    return `${words(check)}${times} (${endedAs(check)})${why}`;
  });
  const tests = [...new Set(bad.filter(isOpenCheck).flatMap(({ failed }) => failed?.tests ?? []))];
  const failing = tests.length === 0 ? [] : [`tests ${listed(tests, Math.floor(max / 3), ', ', 3)}`];
  const again = troubles.filter(({ times }) => times > 1).sort((one, other) => other.times - one.times);
  // A hook ran the check that failed.
  const hooked = new Set(bad.map((check) => check.failed?.seq));
  const once = troubles.filter(({ seq, times, said }) => times === 1 && said !== '' && !hooked.has(seq));
  const last = once.at(-1);
  const others =
    last === undefined ? [] : [`${counted(once.length, 'other command')}, last ${describe(last)}`];
  const rest = first.length > fixedMax ? [`${counted(first.length - fixedMax, 'more check')} (fixed)`] : [];
  return listed([...named, ...rest, ...failing, ...again.map(describe), ...others], max, '; ', 7);
}

function endedAs(check: Check): string {
  if (isOpenCheck(check)) return check.isStale ? 'not run again' : 'still failing';
  return check.end === 'passed' || check.isFixed ? 'fixed' : 'end unknown';
}

const fixedMax = 3;
const nameCharsMax = 80;

function describe({ name, times, isFixed, said }: Trouble): string {
  const often = times > 1 ? ` ${times} times` : '';
  return `${command(name, 70)}${often}${isFixed ? ' (then done)' : said === '' ? '' : `: ${said}`}`;
}
