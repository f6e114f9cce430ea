import type { ToolEvent } from '#core/event';
import { type Archive, type ImportStep, prunePlan } from '#memory/archive';
import { carryOut, type Replica, type SyncStep } from '#memory/replicate';
import {
  mustBe,
  type Store,
  type SummaryFilter,
  sessionNamed,
  setTranscriptPosition,
  type TranscriptPosition,
  timelineOf,
  transcriptPosition,
} from '#memory/store';
import type { Retention } from './retention.ts';

interface RecentRequest extends SummaryFilter {
  readonly limit: number;
  readonly before: number | string | null;
}

export function reading(store: Store) {
  return {
    counts: () => store.stats.counts(),
    recorders: () => store.stats.recorders(),
    usage: () => store.usage.of(new Date().toISOString().slice(0, 10)),
    preview: ({ events }: { events: readonly ToolEvent[] }) => store.events.preview(events),
    focus: () => store.settings.get('focus'),
    recent: ({ limit, before, session, ...filter }: RecentRequest) => {
      if (filter.tool !== undefined) mustBe(store.connection, 'tool', filter.tool);
      const whole = session === undefined ? undefined : sessionNamed(store.connection, session);
      return store.summaries.recent(limit, before, { ...filter, session: whole });
    },
    timeline: ({ id, window }: { id: number; window?: number | undefined }) => timelineOf(store, id, window),
    graph: ({ id, depth }: { id: number; depth: number }) => {
      const { ids, edges } = store.edges.neighbourhood(id, depth);
      return { nodes: store.summaries.get(ids), edges };
    },
  };
}

export function writing(store: Store) {
  return {
    commit: ({ events }: { events: readonly ToolEvent[] }) => store.events.insert(events),
    transcriptPosition: ({ file }: { file: string }) => transcriptPosition(store.settings, file),
    setTranscriptPosition: ({ file, position }: { file: string; position: TranscriptPosition | null }) =>
      setTranscriptPosition(store.settings, file, position),
  };
}

/** What changes what an outline may say. */
export function changing(
  parts: { store: Store; archive: Archive; replica: Replica; retention: Retention },
  changed: () => void,
) {
  const { store, archive, replica, retention } = parts;
  // Before as well: what is removed in steps is not given between them.
  const then = async <T>(work: () => Promise<T> | T): Promise<T> => {
    changed();
    try {
      return await work();
    } finally {
      changed();
    }
  };
  return {
    pin: ({ id, pinned }: { id: number; pinned: boolean }) =>
      then(() => store.summaries.pin(id, pinned) || store.digests.pin(id, pinned)),
    setFocus: ({ text }: { text: string | null }) =>
      then(() =>
        store.connection.transaction(() => {
          store.settings.set('focus', text);
          store.settings.set('focus.at', text === null ? null : new Date().toISOString());
        }),
      ),
    promote: ({ id, note }: { id: number; note: string }) =>
      then(() => archive.inTurn(() => replica.outgoing.promote(id, note))),
    sync: (step: SyncStep) => then(() => archive.inTurn(() => carryOut(replica, step))),
    prune: ({ confirm }: { confirm: boolean }) =>
      confirm ? then(() => archive.prune()) : prunePlan(store, Date.now()),
    forget: ({ id }: { id: number }) => then(() => archive.forget(id)),
    importPart: (step: ImportStep) => then(() => archive.importPart(step)),
    retain: () => then(() => retention.run()),
  };
}
