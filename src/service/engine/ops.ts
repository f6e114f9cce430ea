import path from 'node:path';
import type { Config } from '#core/config';
import type { ToolEvent } from '#core/event';
import { messageOf } from '#core/platform';
import { collectGarbage } from '#core/thread';
import type { Environment } from '#core/workspace';
import { SessionAccounts } from '#memory/account';
import { Archive } from '#memory/archive';
import { Consolidator, type DrainProgress, type Report } from '#memory/consolidate';
import { Replica } from '#memory/replicate';
import {
  BrowseSessions,
  detailsOf,
  type Given,
  openStore,
  payloadOf,
  RecallReads,
  SearchReads,
  type Store,
} from '#memory/store';
import {
  gatherHandoff,
  type HandoffRequest,
  lookUp,
  type OutlineRequest,
  PreparedOutlines,
  printedHandoff,
} from '#query/outline';
import { Recall, type RecallRequest, suggestRules, withStates } from '#query/recall';
import { Receipts } from '#query/receipts';
import { Searcher, type SearchRequest, type WhyRequest } from '#query/search';
import { commitsOf, Standings, States, stateBudgetMs } from '#query/state';
import { type Placeable, placed } from './places.ts';
import { Retention } from './retention.ts';
import { ruleFile } from './rule-file.ts';
import {
  askedMs,
  listedAs,
  type SessionsRequest,
  type StandingsRequest,
  sessionsOf,
  standingsOf,
} from './sessions.ts';
import { changing, reading, writing } from './store-ops.ts';

/** Plain data, since it goes to another thread. */
export interface EngineSettings {
  readonly database: string;
  /** The workspace's folder. */
  readonly root: string;
  /** The last daemon did not end in order. */
  readonly suspect: boolean;
  readonly config: Config;
  readonly env: Environment;
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

/** The engine's operations, with plain data as arguments and results. A `Failure` is an expected refusal. */
export type EngineOps = ReturnType<typeof openEngine>;

/** @throws Failure when the database or a setting cannot be used */
export function openEngine(
  settings: EngineSettings,
  report: Report,
  progressed: (drain: number, progress: DrainProgress) => void,
) {
  const { database, root, suspect, config, env } = settings;
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
  const rules = ruleFile(store, path.dirname(database), report);
  const shared = {
    ...{ store, config, receipts: new Receipts(store), accounts: new SessionAccounts(store) },
    ...{ states: new States(store, root), standings: new Standings(root) },
  };
  const outlines = new PreparedOutlines({
    ...shared,
    tokenBudget: config['inject.sessionStart'] ? config['inject.tokenBudget'] : 0,
  });
  return {
    ...reading(store),
    ...sessions(shared),
    ...searching(shared, consolidator),
    ...telling(shared, outlines),
    ...writing(store),
    ...changing({ store, archive, replica: new Replica(store, path.dirname(database)), retention }, () =>
      [outlines, rules].map((one) => one.changed()),
    ),
    ...consolidating(consolidator, { signal: stop.signal, outlines, rules, progressed }),
    repaired: () => store.repaired,
    damaged: (what: string) => store.damaged(what),
    /** @throws when the database file was replaced */
    mustBeInPlace: () => store.connection.mustBeInPlace(),
    /** The time of the last full check that found no damage. */
    checkedAt: () => store.settings.get('database.checkedAt'),
    checked: ({ at }: { at: string }) => store.settings.set('database.checkedAt', at),
    close: async () => {
      stop.abort();
      outlines.close();
      shared.receipts.flush();
      // A stopped drain releases its rows, which needs the store.
      await consolidator.close();
      await archive.settled();
      await retention.settled();
      store.close();
    },
  };
}

interface Shared {
  readonly store: Store;
  readonly config: Config;
  readonly receipts: Receipts;
  readonly accounts: SessionAccounts;
  readonly states: States;
  readonly standings: Standings;
}

function sessions({ store, accounts, states, standings }: Shared) {
  const browse = new BrowseSessions(store);
  return {
    standing: ({ session }: { session: string }) => standings.now(accounts.of(session)),
    standings: (request: StandingsRequest) => standingsOf(request, { accounts, standings }),
    sessions: (request: SessionsRequest) => sessionsOf(request, { store, browse, accounts, standings }),
    get: async ({ ids, cwd }: { ids: readonly number[]; cwd?: string | undefined }) => {
      const found = await states.of(ids, undefined, cwd);
      return detailsOf(store, ids).map((one) => ({ ...one, state: found.get(one.id) ?? null }));
    },
    /**
     * `budgetMs`: what is not known by then is `unknown`; without it, the time that a search may take longer. With a `file`, also the commit
     * that holds an edit of it.
     */
    states: async ({
      ids,
      budgetMs,
      file,
    }: {
      ids: readonly number[];
      budgetMs?: number;
      file?: string | null;
    }) => {
      const asked =
        file == null
          ? null
          : commitsOf({ ids, path: file, budgetMs: budgetMs ?? stateBudgetMs }, { store, standings });
      const [found, commits] = await Promise.all([states.of(ids, budgetMs), asked]);
      return [...found].map(([id, state]) => [id, { ...state, ...commits?.get(id) }] as const);
    },
  };
}

function searching({ store, config, accounts, states }: Shared, { embedders }: Consolidator) {
  const searcher = new Searcher({
    store: new SearchReads(store),
    embedder: embedders,
    settings: {
      topK: config.topK,
      rrfK: config['search.rrfK'],
      halfLifeDays: config['search.halfLifeDays'],
      decayFloor: config['search.decayFloor'],
    },
    states,
    now: () => Date.now(),
  });
  return {
    prepare: () => searcher.prepare(),
    rest: () => {
      searcher.rest();
      collectGarbage();
    },
    search: async (request: Placeable) => placed(await searcher.found(request), request, { store, accounts }),
    searchSessions: async (request: SearchRequest) => {
      const { sessions: found, ...limits } = await searcher.sessions(request);
      const titled = found.map((session) => {
        const account = accounts.stored(session.sessionId);
        return { ...session, title: '', ...(account && listedAs(account)) };
      });
      return { sessions: titled, ...limits };
    },
    explained: async (request: Placeable) =>
      placed(await searcher.explained(request), request, { store, accounts }),
    why: (request: WhyRequest) => searcher.why(request),
  };
}

/** What sessions are given, and the record of it. */
function telling(
  { store, config, receipts, accounts, states, standings }: Shared,
  outlines: PreparedOutlines,
) {
  const recall = new Recall(store, config['inject.recall'], receipts);
  return {
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
    recall: async ({ call, ...asked }: RecallQuestion) => {
      const found = recall.ask({ ...asked, call: payloadOf(call) });
      const ids = found.memories.map(({ id }) => id);
      const shown = withStates(found, await states.of(ids, undefined, call.cwd));
      return { ...shown, session: call.sessionId, agent: asked.agent ?? '' };
    },
    rule: ({ session, agent, ids }: { session: string; agent: string; ids: readonly number[] }) => ({
      ...recall.rules({ sessionId: session, server: agent }, ids),
      ...{ session, agent },
    }),
    rules: ({ suggest }: { suggest: boolean }) => {
      const reads = new RecallReads(store);
      return { rules: reads.rules(), suggestions: suggest ? suggestRules(reads.said()) : [] };
    },
    gave: (given: Given) => receipts.gave(given),
    ownTool: (call: Pick<Given, 'sessionId' | 'kind'>) => receipts.ownTool(call),
    receipts: () => receipts.report(),
    told: ({ limit }: { limit: number }) => receipts.told(limit),
  };
}

interface Consolidating {
  readonly signal: AbortSignal;
  readonly outlines: PreparedOutlines;
  readonly rules: ReturnType<typeof ruleFile>;
  readonly progressed: (drain: number, progress: DrainProgress) => void;
}

function consolidating(consolidator: Consolidator, { signal, outlines, rules, progressed }: Consolidating) {
  /** After work that may change them; a stop waits for no outline. */
  const prepared = async (): Promise<void> => {
    if (signal.aborted) return;
    rules.grew();
    await outlines.prepare();
  };
  return {
    drain: async ({ limit, refine, id }: DrainRequest & { id: number }) => {
      const result = await consolidator[refine ? 'refine' : 'drain'](limit, signal, (progress) =>
        progressed(id, progress),
      );
      await prepared();
      return result;
    },
    budget: () => consolidator.budget(),
    tick: async () => {
      const result = await consolidator.tick(signal);
      await prepared();
      return result;
    },
    embed: () => consolidator.embed(signal),
    digestQuiet: () => consolidator.digestQuiet(signal),
    digest: ({ session }: { session: string }) => consolidator.digest(session, signal),
    backends: () => consolidator.state(signal),
  };
}
