import { Plain } from '../parts/plain.tsx';
import { visibleText } from '../text/visible.ts';
import { plural } from '../text/words.ts';
import type { CheckSum } from './model.ts';

/** What failed, and in one paragraph what passed. */
export function Checks({ checks, goTo }: { checks: readonly CheckSum[]; goTo: (seq: number) => void }) {
  const bad = checks.filter(({ hasPassed, isFixed }) => !hasPassed && !isFixed);
  const good = checks.filter((check) => !bad.includes(check));
  return (
    <>
      {bad.length > 0 && (
        <ul class="checks">
          {bad.map((check) => (
            <Check key={check.name} check={check} goTo={goTo} />
          ))}
        </ul>
      )}
      {good.length > 0 && (
        <ul class="checks is-good">
          {good.map((check) => (
            <Check key={check.name} check={check} goTo={goTo} />
          ))}
        </ul>
      )}
    </>
  );
}

function Check({ check, goTo }: { check: CheckSum; goTo: (seq: number) => void }) {
  const { name, seq, runs, failures, hasPassed, isFixed, isStale } = check;
  return (
    <li>
      <button type="button" onClick={() => goTo(seq)} title={visibleText(name)}>
        {hasPassed || isFixed ? (
          <span class="end-good">
            <span aria-hidden="true">✓</span>
            <span class="unseen">passed</span>
          </span>
        ) : (
          <span class="end-bad">✗ failed</span>
        )}
        <code>
          <Plain text={name} />
        </code>
        {isFixed && <span class="quiet">passed later</span>}
        {!hasPassed && !isFixed && isStale && <span class="quiet">not run after the last change</span>}
        {!isFixed && failures > 0 && runs > 1 && (
          <span class="quiet">
            {failures} of {plural(runs, 'run')} failed
          </span>
        )}
      </button>
    </li>
  );
}
