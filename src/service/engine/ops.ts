import path from 'node:path';
import type { Config } from '../../core/config/index.ts';
import type { ToolEvent } from '../../core/event/index.ts';
import { messageOf } from '../../core/platform/index.ts';
import { collectGarbage } from '../../core/thread/index.ts';
import { openNow, SessionAccounts, titleOf } from '../../memory/account/index.ts';
import { Archive, type ImportStep, prunePlan } from '../../memory/archive/index.ts';
import { Consolidator, type DrainProgress, type Report } from '../../memory/consolidate/index.ts';
import { carryOut, Replica, type SyncStep } from '../../memory/replicate/index.ts';
import {
  BrowseSessions,
  detailsOf,
  type Given,
  mustBeTool,
  openStore,
  payloadOf,
  SearchReads,
  type Store,
  type SummaryFilter,
  sessionNamed,
  type TranscriptPosition,
  TranscriptPositions,
  timelineOf,
} from '../../memory/store/index.ts';
import {
  gatherHandoff,
  type HandoffRequest,
  lookUp,
  type OutlineRequest,
  PreparedOutlines,
  printedHandoff,
} from '../../query/outline/index.ts';
import { Recall, type RecallRequest, withStates } from '../../query/recall/index.ts';
import { Receipts } from '../../query/receipts/index.ts';
import { createSearcher, type SearchRequest, type WhyRequest } from '../../query/search/index.ts';
import { Standings, States } from '../../query/state/index.ts';
import { type Placeable, placed } from './places.ts';
import { Retention } from './retention.ts';
import { askedMs, openOf, type SessionsRequest, sessionsOf } from './sessions.ts';

/** Plain data, since it goes to another thread. */
export interface EngineSettings {
  readonly database: string;
  /** The workspace's folder. */
  readonly root: string;
  /** The last daemon did not end in order. */
  readonly suspect: boolean;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the engine says unasked. */
export type EngineNotice =
  | { readonly kind: 'damaged'; readonly what: string }
  | {
      readonly kind: 'report';
      readonly message: string;
      readonly fields: Readonly<Record<string, string | number>>;
    }
  | { readonly kind: 'progress'; readonly drain: number; readonly progress: DrainProgress };

/** The call is redacted and cut like a captured one. */
export interface RecallQuestion extends Omit<RecallRequest, 'call'> {
  readonly call: ToolEvent;
}

export interface DrainRequest {
  /** At most so many events; null: all. */
  readonly limit: number | null;
  readonly refine: boolean;
}

export interface RecentRequest extends SummaryFilter {
  readonly limit: number;
  readonly before: number | string | null;
}

/** The engine's operations, with plain data as arguments and results. A `Failure` is an expected refusal. */
export type EngineOps = ReturnType<typeof openEngine>;

/** @throws Failure when the database or a setting cannot be used */
export function openEngine(
  { database, root, suspect, config, env }: EngineSettings,
  report: Report,
  progressed: (drain: number, progress: DrainProgress) => void,
) {
  const store = openStore(database, { repair: true, suspect });
  // Every reader of the database needs it.
  const trust = JSON.stringify(config['sync.trust']);
  if ((store.settings.get('sync.trust') ?? '[]') !== trust) store.settings.set('sync.trust', trust);
  const archive = new Archive(store, path.dirname(database));
  try {
    archive.tidy();
  } catch (error) {
    report('old restore files could not be removed', { error: messageOf(error) });
  }
  const stop = new AbortController();
  const consolidator = new Consolidator({ store, config, env, report });
  const retention = new Retention({ store, config, signal: stop.signal });
  const states = new States(store, root);
  const standings = new Standings(root);
  const accounts = new SessionAccounts(store);
  const browse = new BrowseSessions(store);
  const searcher = createSearcher({
    store: new SearchReads(store),
    embedder: consolidator.embedders,
    settings: {
      topK: config.topK,
      rrfK: config['search.rrfK'],
      halfLifeDays: config['search.halfLifeDays'],
      decayFloor: config['search.decayFloor'],
    },
    states,
    now: () => Date.now(),
  });
  const receipts = new Receipts(store);
  const recall = new Recall(store, config['inject.recall'], receipts);
  const outlines = new PreparedOutlines({
    ...{ store, accounts, states, standings },
    tokenBudget: config['inject.sessionStart'] ? config['inject.tokenBudget'] : 0,
  });
  /** After work that may change them; a stop waits for no outline. */
  const prepared = async (): Promise<void> => {
    if (!stop.signal.aborted) await outlines.prepare();
  };
  return {
    ...reading(store),
    standing: async ({ session }: { session: string }) => {
      const account = accounts.of(session);
      const [standing] = await standings.of([openOf(account)], askedMs);
      return openNow(account, standing);
    },
    sessions: (request: SessionsRequest) => sessionsOf(request, { store, browse, accounts, standings }),
    ...writing(store),
    ...changing({ store, archive, replica: new Replica(store, path.dirname(database)), retention }, () =>
      outlines.changed(),
    ),
    get: async ({ ids, cwd }: { ids: readonly number[]; cwd?: string | undefined }) => {
      const found = await states.of(ids, undefined, cwd);
      return detailsOf(store, ids).map((one) => ({ ...one, state: found.get(one.id) ?? null }));
    },
    /** `budgetMs`: what is not known by then is `unknown`; without it, the time that a search may take longer. */
    states: async ({ ids, budgetMs }: { ids: readonly number[]; budgetMs?: number }) => [
      ...(await states.of(ids, budgetMs)),
    ],
    prepare: () => searcher.prepare(),
    rest: () => {
      searcher.rest();
      collectGarbage();
    },
    search: async (request: Placeable) => placed(await searcher.found(request), request, { store, accounts }),
    searchSessions: async (request: SearchRequest) => {
      const { sessions, ...limits } = await searcher.sessions(request);
      const titled = sessions.map((session) => {
        const account = accounts.stored(session.sessionId);
        return { ...session, title: account === null ? '' : titleOf(account) };
      });
      return { sessions: titled, ...limits };
    },
    explained: async (request: Placeable) =>
      placed(await searcher.explained(request), request, { store, accounts }),
    why: (request: WhyRequest) => searcher.why(request),
    /** `checkMs`: how long its states may be checked. The caller says with `gave` that a session has received it. */
    outline: ({ checkMs, ...request }: OutlineRequest & { checkMs: number }) =>
      outlines.give(request, checkMs),
    /** `compacted`: a session that will ask for its own handoff; may be empty. */
    prepareOutlines: ({ compacted }: { compacted: string }) => outlines.prepare(compacted),
    handoff: async ({ session, tokens, cwd }: HandoffRequest) => {
      const gathered = gatherHandoff(store, accounts, session);
      const given = await lookUp(gathered, { states, standings }, { budgetMs: askedMs, cwd });
      return printedHandoff(gathered, tokens, given);
    },
    recall: async ({ call, asOf }: RecallQuestion) => {
      const found = recall.ask({ call: payloadOf(call), asOf });
      return withStates(
        found,
        await states.of(
          found.memories.map(({ id }) => id),
          undefined,
          call.cwd,
        ),
      );
    },
    gave: (given: Given) => receipts.gave(given),
    ownTool: (call: Pick<Given, 'sessionId' | 'kind'>) => receipts.ownTool(call),
    receipts: () => receipts.report(),
    told: ({ limit }: { limit: number }) => receipts.told(limit),
    repaired: () => store.repaired,
    damaged: (what: string) => store.damaged(what),
    /** @throws when the database file was replaced */
    mustBeInPlace: () => store.connection.mustBeInPlace(),
    /** The time of the last full check that found no damage. */
    checkedAt: () => store.settings.get('database.checkedAt'),
    checked: ({ at }: { at: string }) => store.settings.set('database.checkedAt', at),
    drain: async ({ limit, refine, id }: DrainRequest & { id: number }) => {
      const result = await consolidator[refine ? 'refine' : 'drain'](limit, stop.signal, (progress) =>
        progressed(id, progress),
      );
      await prepared();
      return result;
    },
    budget: () => consolidator.budget(),
    tick: async () => {
      const result = await consolidator.tick(stop.signal);
      await prepared();
      return result;
    },
    embed: () => consolidator.embed(stop.signal),
    digestQuiet: () => consolidator.digestQuiet(stop.signal),
    digest: ({ session }: { session: string }) => consolidator.digest(session, stop.signal),
    backends: () => consolidator.state(stop.signal),
    close: async () => {
      stop.abort();
      outlines.close();
      receipts.flush();
      // A stopped drain releases its rows, which needs the store.
      await consolidator.close();
      await archive.settled();
      await retention.settled();
      store.close();
    },
  };
}

function reading(store: Store) {
  return {
    counts: () => store.stats.counts(),
    recorders: () => store.stats.recorders(),
    usage: () => store.usage.of(new Date().toISOString().slice(0, 10)),
    preview: ({ events }: { events: readonly ToolEvent[] }) => store.events.preview(events),
    focus: () => store.settings.get('focus'),
    recent: ({ limit, before, session, ...filter }: RecentRequest) => {
      if (filter.tool !== undefined) mustBeTool(store.connection, filter.tool);
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

function writing(store: Store) {
  return {
    commit: ({ events }: { events: readonly ToolEvent[] }) => store.events.insert(events),
    transcriptPosition: ({ file }: { file: string }) => new TranscriptPositions(store.settings).get(file),
    setTranscriptPosition: ({ file, position }: { file: string; position: TranscriptPosition | null }) =>
      new TranscriptPositions(store.settings).set(file, position),
  };
}

/** What changes what an outline may say. */
function changing(
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
