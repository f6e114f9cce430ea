import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api.ts';
import { wasFollowed } from '../keys.ts';
import { Digest } from '../parts/digest.tsx';
import { useLoad, useNow } from '../parts/hooks.ts';
import { Ago, Flags, What } from '../parts/marks.tsx';
import { LongText } from '../parts/plain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { PayloadView } from '../payload/payload.tsx';
import { go, home, type Route, writeRoute } from '../route.ts';
import type { Memory, Status } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { fullTime, shortId } from '../text/words.ts';
import { Provenance } from './provenance.tsx';
import { Turn } from './turn.tsx';
import { WhyPanel } from './why.tsx';

/** One memory: what it says, why it was found, what it was made from, what replaced it. */
export function MemoryPane({
  id,
  route,
  status,
  generation,
}: {
  id: number;
  route: Route;
  status: Status | null;
  /** Grows when memories come: what replaced this one may have changed, and where it ranks. */
  generation: number;
}) {
  const loaded = useLoad(`${id} ${generation}`, (signal) => api.memory(id, signal));
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!wasFollowed(id) || isAlone()) pane.current?.focus({ preventScroll: true });
    if (isAlone()) window.scrollTo(0, 0);
  }, [id]);
  return (
    <article class="memory" ref={pane} tabIndex={-1} aria-label={`Memory ${id}`}>
      <header class="memory-head">
        <button type="button" class="back" onClick={() => go({ open: null })}>
          <span aria-hidden="true">←</span> <span>Back to the list</span>
        </button>
        <h2>#{id}</h2>
        {loaded.value !== null && <Heading memory={loaded.value} />}
        <button
          type="button"
          class="icon close"
          aria-label="Close this memory"
          title="Close (Esc)"
          onClick={() => go({ open: null })}
        >
          <span aria-hidden="true">×</span>
        </button>
      </header>
      {loaded.error !== null && loaded.value === null && (
        <Failed what={`Memory ${id}`} error={loaded.error} again={loaded.again} />
      )}
      {loaded.value === null && loaded.error === null && <Loading what={`memory ${id}`} lines={10} />}
      {loaded.value !== null && (
        <Body memory={loaded.value} route={route} status={status} generation={generation} />
      )}
    </article>
  );
}

/** Whether the memory covers the list. */
function isAlone(): boolean {
  return matchMedia('(max-width: 60rem)').matches;
}

function Heading({ memory }: { memory: Memory }) {
  const nowMs = useNow();
  return (
    <p class="memory-facts">
      <What summary={memory} />
      <Flags pinned={memory.pinned} supersededBy={null} state={memory.state} />
      <Ago ts={memory.ts} nowMs={nowMs} />
    </p>
  );
}

function Body({
  memory,
  route,
  status,
  generation,
}: {
  memory: Memory;
  route: Route;
  status: Status | null;
  generation: number;
}) {
  return (
    <div class="memory-body">
      <div class="memory-text">
        {memory.supersededBy != null && (
          <p class="notice">
            Superseded:{' '}
            <a href={writeRoute({ ...route, open: memory.supersededBy })}>#{memory.supersededBy}</a> replaces
            it.
          </p>
        )}
        {memory.kind === 'session' ? (
          <Digest digest={memory.text} />
        ) : (
          <LongText text={memory.text} label={memory.kind === 'message' ? 'Message' : 'Summary'} />
        )}
      </div>
      <Facts memory={memory} />
      {route.query !== '' && (
        <WhyPanel query={route.query} id={memory.id} status={status} generation={generation} />
      )}
      {memory.kind === 'call' ? <Call memory={memory} /> : <Turn memory={memory} route={route} />}
      <Provenance id={memory.id} edges={memory.edges.length} route={route} generation={generation} />
    </div>
  );
}

function Call({ memory }: { memory: Memory }) {
  return (
    <section class="panel payload-panel" aria-labelledby="payload-title">
      <h3 id="payload-title">Captured call</h3>
      {cutNotice(memory)}
      <PayloadView payload={memory.payload} isError={memory.isError === true} />
    </section>
  );
}

function cutNotice({ payloadCut }: Memory) {
  if (payloadCut !== true) return null;
  return <p class="notice">The captured call is longer than the page is sent; this is the start of it.</p>;
}

function Facts({ memory }: { memory: Memory }) {
  const { embedder, dimension } = memory;
  return (
    <dl class="facts">
      <Fact name="source event" value={memory.eventId} isCode />
      <Fact name="turn" value={memory.turnId ?? ''} isCode />
      <Fact name="time" value={fullTime(memory.ts)} />
      <Fact name="model" value={memory.model} />
      <Fact name="embedder" value={embedder ?? 'none yet'} />
      <Fact name="dimension" value={dimension === null ? '–' : String(dimension)} />
      <Fact name="assistant" value={memory.client ?? ''} />
      <div>
        <dt>session</dt>
        <dd>
          <a href={writeRoute({ ...home, session: memory.sessionId })} title="All memories of this session">
            <code>{visibleText(shortId(memory.sessionId) || 'none')}</code>
          </a>
        </dd>
      </div>
      <Fact name={memory.kind === 'message' ? 'message' : 'call'} value={memory.toolUseId ?? ''} isCode />
    </dl>
  );
}

function Fact({ name, value, isCode = false }: { name: string; value: string; isCode?: boolean }) {
  if (value === '') return null;
  const said = visibleText(value);
  return (
    <div>
      <dt>{name}</dt>
      <dd title={said}>{isCode ? <code>{said}</code> : said}</dd>
    </div>
  );
}
