import { endWords } from '../../src/memory/account/account.ts';
import { firstOf, useFold } from '../parts/fold.tsx';
import { Plain } from '../parts/plain.tsx';
import type { SessionAccount } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { count, plural } from '../text/words.ts';

type Sum = SessionAccount['checks'][number];

/** So many are shown before the others are folded. */
const goodFirst = 4;

/** What failed or has no known end, then what passed. */
export function Checks({ checks: all, goTo }: { checks: readonly Sum[]; goTo: (seq: number) => void }) {
  const checks = all.filter(({ isMoot, isNarrow }) => !isMoot && !isNarrow);
  const bad = checks.filter(({ end, isFixed }) => end !== 'passed' && !isFixed);
  const good = checks.filter((check) => !bad.includes(check));
  const [shown, more] = useFold(
    good,
    firstOf(good, goodFirst),
    (hidden) => `Show ${count(hidden)} more that passed`,
  );
  const list = (some: readonly Sum[], name: string) =>
    some.length > 0 && (
      <ul class={name}>
        {some.map((check) => (
          <Check key={`${check.place} ${check.name}`} check={check} goTo={goTo} />
        ))}
      </ul>
    );
  return (
    <>
      {list(bad, 'checks')}
      {list(shown, 'checks is-good')}
      {more}
    </>
  );
}

function Check({ check, goTo }: { check: Sum; goTo: (seq: number) => void }) {
  const { name, place, seq, runs, failures, unknown, end, isFixed, isStale } = check;
  return (
    <li>
      <button type="button" onClick={() => goTo(seq)} title={visibleText(name)}>
        {end === 'passed' ? (
          <span class="end-good">
            <span aria-hidden="true">✓</span>
            <span class="unseen">passed</span>
          </span>
        ) : (
          <span class={end === 'failed' && !isFixed ? 'end-bad' : 'quiet'}>
            {end === 'failed' && !isFixed ? '✗ ' : ''}
            {endWords[end]}
          </span>
        )}
        <Plain as="code" text={name} />
        {place !== '' && (
          <span class="quiet">
            in <Plain text={place} />
          </span>
        )}
        {isFixed && <span class="quiet">passed later</span>}
        {!isFixed && isStale && <span class="quiet">not run after the last change</span>}
        {!isFixed && failures > 0 && runs > 1 && (
          <span class="quiet">
            {failures} of {plural(runs, 'run')} failed{unknown > 0 && `, ${unknown} unknown`}
          </span>
        )}
      </button>
    </li>
  );
}
