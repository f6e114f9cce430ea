import { endWords } from '../../src/memory/account/account.ts';
import { Plain } from '../parts/plain.tsx';
import type { SessionAccount } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { plural } from '../text/words.ts';

type Sum = SessionAccount['checks'][number];

/** What failed, and in one paragraph what passed. */
export function Checks({ checks, goTo }: { checks: readonly Sum[]; goTo: (seq: number) => void }) {
  const bad = checks.filter(({ end, isFixed }) => end !== 'passed' && !isFixed);
  const good = checks.filter((check) => !bad.includes(check));
  return (
    <>
      {bad.length > 0 && (
        <ul class="checks">
          {bad.map((check) => (
            <Check key={`${check.place} ${check.name}`} check={check} goTo={goTo} />
          ))}
        </ul>
      )}
      {good.length > 0 && (
        <ul class="checks is-good">
          {good.map((check) => (
            <Check key={`${check.place} ${check.name}`} check={check} goTo={goTo} />
          ))}
        </ul>
      )}
    </>
  );
}

function Check({ check, goTo }: { check: Sum; goTo: (seq: number) => void }) {
  const { name, seq, runs, failures, unknown, end, isFixed, isStale } = check;
  const isGood = end === 'passed' || isFixed;
  return (
    <li>
      <button type="button" onClick={() => goTo(seq)} title={visibleText(name)}>
        {isGood ? (
          <span class="end-good">
            <span aria-hidden="true">✓</span>
            <span class="unseen">passed</span>
          </span>
        ) : (
          <span class={end === 'failed' ? 'end-bad' : 'quiet'}>
            {end === 'failed' ? '✗ ' : ''}
            {endWords[end]}
          </span>
        )}
        <code>
          <Plain text={name} />
        </code>
        {isFixed && <span class="quiet">passed later</span>}
        {!isGood && isStale && <span class="quiet">not run after the last change</span>}
        {!isFixed && failures > 0 && runs > 1 && (
          <span class="quiet">
            {failures} of {plural(runs, 'run')} failed{unknown > 0 && `, ${unknown} unknown`}
          </span>
        )}
      </button>
    </li>
  );
}
