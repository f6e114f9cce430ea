import { useMemo } from 'preact/hooks';
import { api } from '../api.ts';
import { hitsMax } from '../limits.ts';
import { hasFailed, useLoad, useNow } from '../parts/hooks.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { go, type Route } from '../route.ts';
import { wantedOf } from '../text/marked.ts';
import { visibleText } from '../text/visible.ts';
import { plural } from '../text/words.ts';
import { HitRow } from './rows.tsx';

/** What a search finds, best first. It is asked again when memories have come, so that it stays true. */
export function Hits({ route, generation }: { route: Route; generation: number }) {
  const { query, kind, session, tool } = route;
  const question = JSON.stringify([query, kind, session, tool]);
  const found = useLoad(`${question} ${generation}`, (signal) => api.search(query, hitsMax, route, signal));
  const wanted = useMemo(() => wantedOf(query), [query]);
  const nowMs = useNow();
  const hits = found.value;
  if (hasFailed(found, question)) {
    return <Failed what="The search" error={found.error} again={found.again} />;
  }
  if (hits === null) return <Loading what="what was found" />;
  const best = hits[0]?.score ?? 0;
  return (
    <>
      <div role="status">
        <h2 class="list-title">
          {hits.length === 0 ? 'Nothing found' : plural(hits.length, 'hit')}{' '}
          <span class="quiet">for “{visibleText(query)}”</span>
        </h2>
      </div>
      {hits.length === 0 ? (
        <Nothing route={route} />
      ) : (
        <ol class={found.isLoading ? 'rows is-loading' : 'rows'}>
          {hits.map((hit) => (
            <li key={hit.id}>
              <HitRow hit={hit} best={best} route={route} wanted={wanted} nowMs={nowMs} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function Nothing({ route }: { route: Route }) {
  const isFiltered = route.kind !== '' || route.session !== '' || route.tool !== '';
  return (
    <Empty title="No memory fits these words.">
      {isFiltered && (
        <p>
          The search looks only at the chosen kind, tool or session.{' '}
          <button type="button" onClick={() => go({ kind: '', session: '', tool: '' })}>
            Look everywhere
          </button>
        </p>
      )}
      <p>
        A file's name, a command or the words of an error find most. What is captured but not yet summarised
        cannot be found: the count <b>raw</b> above says how much that is.
      </p>
    </Empty>
  );
}
