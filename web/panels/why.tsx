import { useMemo } from 'preact/hooks';
import { api } from '../api.ts';
import { hasFailed, useLoad } from '../parts/hooks.ts';
import { Plain } from '../parts/plain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import type { Asked } from '../route.ts';
import type { Status, Why } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { Bars } from '../why/bars.tsx';
import { DecayCurve } from '../why/decay-curve.tsx';
import { Fusion } from '../why/fusion.tsx';
import { decaySettings, legsOf } from '../why/reading.ts';

/** Why this memory stands where it stands for this query: the daemon's own numbers, drawn. */
export function WhyPanel({ route, id, status, generation }: Asked & { id: number }) {
  const { query, kind, session, tool, since, until } = route;
  const question = JSON.stringify([id, query, kind, session, tool, since, until]);
  const why = useLoad(`${question} ${generation}`, (signal) => api.why(query, id, route, signal));
  const isRefused = hasFailed(why, question);
  return (
    <section class="panel why" aria-labelledby="why-title">
      <h3 id="why-title">
        Why it is here <span class="quiet">for “{visibleText(query)}”</span>
      </h3>
      {isRefused && <Failed what="The explanation" error={why.error} again={why.again} />}
      {!isRefused && why.value === null && <Loading what="the explanation" lines={4} />}
      {!isRefused && why.value !== null && <Picture why={why.value} status={status} />}
    </section>
  );
}

function Picture({ why, status }: { why: Why; status: Status | null }) {
  const legs = useMemo(() => legsOf(why), [why]);
  const most = Math.max(...legs.map(({ contribution }) => contribution));
  const terms = why.bm25.terms ?? [];
  const settings = decaySettings(status);
  return (
    <>
      <Plain as="p" class="sentence" text={why.sentence} />
      <details class="explanation">
        <summary>The figures</summary>
        <Bars legs={legs} most={most} />
        {terms.length > 0 && <Terms terms={terms} />}
        <div class="why-pictures">
          <figure>
            <figcaption>fusion</figcaption>
            <Fusion why={why} />
          </figure>
          {settings !== null && (
            <figure>
              <figcaption>decay</figcaption>
              <DecayCurve decay={why.decay} settings={settings} />
            </figure>
          )}
        </div>
        <h4>In the daemon's words</h4>
        <ul>
          {why.explanation.split(' · ').map((clause) => (
            <Plain key={clause} as="li" text={clause} />
          ))}
        </ul>
      </details>
    </>
  );
}

/** The query's words that stand in it: the rarer in this memory, the stronger. */
function Terms({ terms }: { terms: NonNullable<Why['bm25']['terms']> }) {
  const most = Math.max(0.1, ...terms.map(({ idf }) => idf));
  return (
    <ul class="terms" aria-label="Words found, the rarest first">
      {terms.slice(0, 12).map(({ term, word, idf }) => (
        <li key={term} title={`rarity (idf) ${idf.toFixed(2)}`}>
          <Plain text={word} />
          <span class="idf" aria-hidden="true">
            <span style={{ width: `${Math.max(6, (idf / most) * 100)}%` }} />
          </span>
          <span class="unseen">, rarity {idf.toFixed(1)}</span>
        </li>
      ))}
    </ul>
  );
}
