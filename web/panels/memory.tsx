import { useEffect, useMemo, useRef } from 'preact/hooks';
import { stem, wantedOf } from '#reading/terms';
import type { Json } from '../../src/core/event/json.ts';
import { api } from '../api.ts';
import { rowOf, wasFollowed } from '../keys.ts';
import { shownCharsFirst } from '../limits.ts';
import { addressOf, Copy } from '../parts/copy.tsx';
import { useLoad, useNow } from '../parts/hooks.ts';
import { Ago, Flags, StateChip, What } from '../parts/marks.tsx';
import { FilePath } from '../parts/path.tsx';
import { LongText, WantedWords } from '../parts/plain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { PayloadView } from '../payload/payload.tsx';
import { readPayload } from '../payload/read-payload.ts';
import { type Asked, go, memories, sessionLink, writeRoute } from '../route.ts';
import { Inline, Said } from '../session/said.tsx';
import type { Memory } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { fullTime } from '../text/words.ts';
import { Provenance } from './provenance.tsx';
import { ownWords } from './rows.tsx';
import { Turn } from './turn.tsx';
import { WhyPanel } from './why.tsx';

/** One memory: what it says, what it was made from, what came before and after, why it was found, what replaced it. */
export function MemoryPane({ id, isPreview, route, status, generation }: PaneProps) {
  const loaded = useLoad(`${id} ${generation}`, (signal) => api.memory(id, signal));
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isPreview && (!wasFollowed(id) || isNarrow())) pane.current?.focus({ preventScroll: true });
    if (isNarrow()) window.scrollTo(0, 0);
  }, [id, isPreview]);
  useListFollows(id);
  const isShown = loaded.value?.id === id;
  useEffect(() => {
    if (isShown) bestMark(pane.current)?.scrollIntoView({ block: 'center' });
  }, [id, isShown, route.query]);
  return (
    <article class="memory" ref={pane} tabIndex={-1} aria-label={`Memory ${id}`}>
      <header class="memory-head">
        <button type="button" class="back" onClick={() => go({ open: null })}>
          <span aria-hidden="true">←</span> <span>Back</span>
        </button>
        <h2>#{id}</h2>
        {loaded.value !== null && <Heading memory={loaded.value} />}
        {!isPreview && (
          <button
            type="button"
            class="icon close"
            aria-label="Close this memory"
            title="Close (Esc)"
            onClick={() => go({ open: null })}
          >
            <span aria-hidden="true">×</span>
          </button>
        )}
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

/** The first mark of the part with most of the different words. */
function bestMark(pane: HTMLElement | null): Element | null {
  let best: { mark: Element | null; words: number } = { mark: null, words: 0 };
  for (const part of pane?.querySelectorAll('.memory-text .said > *, .call-words') ?? []) {
    const marks = [...part.querySelectorAll('mark')];
    const words = new Set(marks.map(({ textContent }) => stem(textContent.toLowerCase()))).size;
    if (words > best.words) best = { mark: marks[0] ?? null, words };
  }
  return best.mark;
}

interface PaneProps extends Asked {
  readonly id: number;
  /** Shown without having been asked for: the reader is elsewhere. */
  readonly isPreview: boolean;
}

/** The list shows the open memory, also when a link has opened it. It may come a little later than the memory. */
function useListFollows(id: number): void {
  useEffect(() => {
    const scroll = (): boolean => {
      const row = rowOf(id);
      row?.scrollIntoView({ block: 'nearest' });
      return row !== null;
    };
    const pane = document.querySelector('.list-pane');
    if (scroll() || pane === null) return;
    const watcher = new MutationObserver(() => scroll() && watcher.disconnect());
    watcher.observe(pane, { childList: true, subtree: true });
    return () => watcher.disconnect();
  }, [id]);
}

/** Whether an open memory covers the list. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 60rem)').matches;
}

function Heading({ memory }: { memory: Memory }) {
  const nowMs = useNow();
  return (
    <p class="memory-facts">
      <What summary={memory} />
      <Flags {...memory} supersededBy={null} />
      <StateChip state={memory.state} tool={memory.tool} />
      <Ago ts={memory.ts} nowMs={nowMs} />
    </p>
  );
}

function Body({ memory, route, status, generation }: Asked & { memory: Memory }) {
  const wanted = useMemo(() => (route.query === '' ? undefined : wantedOf(route.query)), [route.query]);
  return (
    <div class="memory-body">
      <Actions memory={memory} />
      <div class="memory-text">
        {memory.supersededBy != null && (
          <p class="notice">
            Superseded by{' '}
            <a href={writeRoute({ ...route, open: memory.supersededBy })}>#{memory.supersededBy}</a>
          </p>
        )}
        <WantedWords.Provider value={wanted}>
          {memory.kind === 'call' ? (
            <Words text={ownWords(memory)} />
          ) : (
            <Said
              text={memory.kind === 'session' ? memory.text : messageOf(memory)}
              first={shownCharsFirst}
            />
          )}
        </WantedWords.Provider>
      </div>
      {memory.kind === 'call' && <Call memory={memory} />}
      <Turn memory={memory} route={route} />
      {route.query !== '' && (
        <WhyPanel route={route} id={memory.id} status={status} generation={generation} />
      )}
      <Provenance id={memory.id} edges={memory.edges.length} route={route} generation={generation} />
      <Facts memory={memory} />
    </div>
  );
}

/** The whole message; of one that is too long to be sent, what its summary has of it. */
function messageOf(memory: Memory): string {
  const { payload, payloadCut } = memory;
  const isWhole =
    payloadCut !== true && typeof payload === 'object' && payload !== null && 'output' in payload;
  return isWhole && typeof payload.output === 'string' ? payload.output : ownWords(memory);
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

const lineCharsMax = 2_000;

/** What a call did, in a line. */
function Words({ text }: { text: string }) {
  if (text.length > lineCharsMax) return <LongText text={text} label="Summary" />;
  return <Inline as="p" class="call-words" dir="auto" text={text} />;
}

/** Where it belongs, and what one takes away from it. The commands that change a memory are copied: the page only reads. */
function Actions({ memory }: { memory: Memory }) {
  const { id, pinned, sessionId, payload } = memory;
  const { command, path } = subjectOf(payload);
  return (
    <p class="memory-actions">
      {sessionId !== '' && <a href={sessionLink(sessionId, memory.seq ?? null)}>Open its session</a>}
      {path !== '' && (
        <span>
          file <FilePath path={path} />
        </span>
      )}
      {command !== '' && <Copy what="command" text={command} />}
      {path !== '' && <Copy what="path" text={path} />}
      <Copy what="id" text={String(id)} />
      <Copy what="link" text={addressOf(writeRoute({ ...memories, open: id }))} />
      <Copy what={pinned ? 'mem unpin' : 'mem pin'} text={`mem ${pinned ? 'unpin' : 'pin'} ${id}`} />
      <Copy what="mem forget" text={`mem forget ${id}`} />
    </p>
  );
}

/** The command that a call ran, or the file that it was about. */
function subjectOf(payload: Json): { command: string; path: string } {
  const view = readPayload(payload);
  if (view.kind === 'command') return { command: view.command, path: '' };
  if (view.kind === 'read') return { command: '', path: view.path };
  return { command: '', path: view.kind === 'diff' ? (view.files[0]?.path ?? '') : '' };
}

/** How it was stored, for who needs it. */
function Facts({ memory }: { memory: Memory }) {
  const { embedder, dimension, terms = '' } = memory;
  return (
    <section class="panel facts-panel" aria-labelledby="facts-title">
      <h3 id="facts-title">How it is stored</h3>
      <dl class="facts">
        <Fact name="source event" value={memory.eventId} isCode />
        <Fact name="session" value={memory.sessionId} isCode />
        <Fact name="turn" value={memory.turnId ?? ''} isCode />
        <Fact name="time" value={fullTime(memory.ts)} />
        <Fact name="model" value={memory.model} />
        <Fact name="embedder" value={embedder ?? 'none yet'} />
        <Fact name="dimension" value={dimension === null ? '–' : String(dimension)} />
        <Fact name="assistant" value={memory.client ?? ''} />
        {memory.edges.length === 0 && <Fact name="provenance" value="nothing replaced" />}
        <Fact name={memory.kind === 'message' ? 'message' : 'call'} value={memory.toolUseId ?? ''} isCode />
        <Fact name="further words" value={terms} />
      </dl>
    </section>
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
