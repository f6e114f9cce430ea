import type { Watched } from '../live.ts';
import { Loading } from '../parts/states.tsx';
import { Counts } from './counts.tsx';
import { Backend, Backlog, Daemon, Embedder, Focus, Listeners, Scope } from './health-gauges.tsx';
import { Assistants, Counters, Receipts, Spend, Warnings } from './health-side.tsx';

/** How the service is: each part with its reading and, where it is not well, what repairs it. */
export function Health({ watched }: { watched: Watched }) {
  const { status } = watched;
  if (status === null) return <Loading what="the state of the service" lines={8} />;
  return (
    <Listeners.Provider value={watched.link !== 'gone'}>
      <Counts watched={watched} />
      <div class="health">
        <section class="gauges" aria-label="Health">
          <Daemon watched={watched} status={status} />
          <Backend status={status} />
          <Embedder status={status} />
          <Backlog status={status} />
          <Scope status={status} />
          <Focus status={status} />
        </section>
        <div class="health-side">
          <Warnings warnings={status.warnings} />
          <Assistants recorded={status.recorded} connected={status.connected} />
          <Receipts receipts={status.receipts} />
          <Spend status={status} />
          <Counters counters={status.counters} />
        </div>
      </div>
    </Listeners.Provider>
  );
}
