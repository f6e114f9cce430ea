import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import type { Watched } from '../live.ts';
import { useAllSessions } from '../parts/all-sessions.ts';
import { useGeneration, useLateKey, useLoad } from '../parts/hooks.ts';
import type { Route } from '../route.ts';
import { Filters } from './filters.tsx';
import { Hits } from './hits.tsx';
import { isNarrow, MemoryPane } from './memory.tsx';
import { Recent } from './recent.tsx';

/** The list on the left, recent or found; what is open of it on the right, or over it where there is no room. */
export function Memories({ route, watched }: { route: Route; watched: Watched }) {
  const { events = null, summaries = null } = watched.status?.counts ?? {};
  const captured = useGeneration(events);
  const remembered = useGeneration(summaries);
  const tools = useLoad(`${remembered}`, api.tools).value ?? [];
  const late = useLateKey(captured + remembered);
  const sessions = useAllSessions(late, events).sessions ?? [];
  const [first, setFirst] = useState<number | null>(null);
  // Where there is room, the best hit or the newest memory is read without a click.
  const shown = route.open ?? (isNarrow() ? null : first);
  return (
    <div class={route.open === null ? 'split' : 'split has-open'}>
      <section class="list-pane" tabIndex={-1} aria-label={route.query === '' ? 'Recent memories' : 'Search'}>
        <Filters route={route} tools={tools} sessions={sessions} />
        {route.query === '' ? (
          <Recent
            {...{ route, sessions, shown }}
            generation={remembered}
            status={watched.status}
            onFirst={setFirst}
          />
        ) : (
          <Hits
            route={{ ...route, open: shown }}
            generation={remembered}
            sessions={sessions}
            onFirst={setFirst}
          />
        )}
      </section>
      {shown !== null && (
        <MemoryPane
          key={`${shown} ${route.open === null}`}
          id={shown}
          isPreview={route.open === null}
          route={route}
          status={watched.status}
          generation={remembered}
        />
      )}
    </div>
  );
}
