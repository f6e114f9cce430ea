import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { useLoad } from '../parts/hooks.ts';
import { Clock, What } from '../parts/marks.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { type Route, writeRoute } from '../route.ts';
import { Inline } from '../session/said.tsx';
import type { Memory, Summary } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { plural } from '../text/words.ts';
import { ownWords } from './rows.tsx';

const nearMax = 4;
const ofSessionMax = 12;
const rowCharsMax = 240;

/** The turn of a message, from the request to the outcome, what happened in a session, or the neighbours of a call; each row opens its memory. */
export function Turn({ memory, route }: { memory: Memory; route: Route }) {
  const loaded = useLoad(`${memory.id}`, (signal) => api.timeline(memory.id, signal));
  const title = { session: 'In this session', message: 'This turn', call: 'Before and after' }[memory.kind];
  return (
    <section class="panel turn" aria-labelledby="turn-title">
      <h3 id="turn-title">{title}</h3>
      {loaded.error !== null && <Failed what={title} error={loaded.error} again={loaded.again} />}
      {loaded.value === null && loaded.error === null && <Loading what="the turn" lines={4} />}
      {loaded.value !== null && (
        <Rows
          rows={[
            ...loaded.value.before,
            ...(memory.kind === 'session' ? [] : [loaded.value.summary]),
            ...loaded.value.after,
          ]}
          id={memory.id}
          route={route}
        />
      )}
    </section>
  );
}

function Rows({ rows, id, route }: { rows: readonly Summary[]; id: number; route: Route }) {
  const [isWhole, setWhole] = useState(false);
  const here = rows.findIndex((one) => one.id === id);
  const reach = here < 0 ? ofSessionMax : nearMax;
  // What is near, with the request that it began with and the outcome.
  const shown = rows.filter(
    (_, at) => isWhole || at === 0 || at === rows.length - 1 || Math.abs(at - here) <= reach,
  );
  return (
    <>
      <ol class="turn-rows">
        {shown.map((summary) => (
          <li key={summary.id}>
            <a
              class={`turn-row is-${summary.kind}`}
              href={writeRoute({ ...route, open: summary.id })}
              aria-current={summary.id === id ? 'true' : undefined}
            >
              <Clock ts={summary.ts} />
              <What summary={summary} />
              <Inline as="span" class="turn-text" text={oneLine(ownWords(summary), rowCharsMax)} />
            </a>
          </li>
        ))}
      </ol>
      {shown.length < rows.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all, {plural(rows.length - shown.length, 'memory', 'memories')} left
        </button>
      )}
    </>
  );
}
