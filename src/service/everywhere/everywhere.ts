import fs from 'node:fs';
import type { Config } from '#core/config';
import { Failure, messageOf } from '#core/platform';
import { everyWorkspace, type Workspace } from '#core/workspace';
import { damageFailure, isCorruption, openStoreAside, SearchReads } from '#memory/store';
import { type Fitting, type Hit, type Limits, Searcher, type SearchRequest } from '#query/search';

/** The settings of the search. */
type SearchConfig = Pick<Config, 'topK' | 'search.rrfK' | 'search.halfLifeDays' | 'search.decayFloor'>;

/**
 * The best hits of all workspaces of `namespace`. The scores of two memories do not compare, since they come from ranks: hits are ordered
 * by how well their words fit, times the same factors.
 * @throws Failure `bad_request` for an invalid time, and for a session, tool or client that no memory has
 */
export async function searchEverywhere(
  home: string,
  namespace: string,
  request: SearchRequest,
  config: SearchConfig,
) {
  const workspaces = everyWorkspace(home).filter(
    (one) => one.namespace === namespace && fs.existsSync(one.database),
  );
  const topK = Math.min(request.topK ?? config.topK, config.topK);
  let best: { readonly hit: Hit & { readonly workspace: string }; readonly fit: number }[] = [];
  const skipped: { workspace: string; reason: string }[] = [];
  let limits: Limits = {};
  // A memory in which the query fits is enough.
  let fitsSome = false;
  const missing: NonNullable<Limits['missing']>[] = [];
  let unknown: Failure | null = null;
  for (const workspace of workspaces) {
    try {
      const fitMin = best.length < topK ? 0 : (best.at(-1)?.fit ?? 0);
      const {
        hits,
        fits = true,
        missing: unseen = [],
        // Another project may have a nearer one.
        nearest: _nearest,
        ...of
      } = await searchOne(workspace, request, config, fitMin);
      limits = of;
      missing.push(unseen);
      fitsSome ||= fits;
      const found = hits.map(({ fit, ...hit }) => ({ hit: { ...hit, workspace: nameOf(workspace) }, fit }));
      best = [...best, ...found]
        .sort((a, b) => b.fit - a.fit || (a.hit.ts < b.hit.ts ? 1 : -1))
        .slice(0, topK);
    } catch (error) {
      const isUnknown = error instanceof Failure && error.code === 'bad_request';
      if (isUnknown) unknown = error;
      else skipped.push({ workspace: nameOf(workspace), reason: reasonOf(error) });
    }
  }
  const searched = workspaces.length - skipped.length;
  // A name that one of the memories has is enough.
  if (unknown !== null && best.length === 0) throw unknown;
  const hits = best.map(({ hit }, at) => ({ ...hit, rank: at + 1 }));
  const nothingFits = hits.length > 0 && !fitsSome;
  const unknownToAll =
    missing[0]?.filter(([from]) => missing.every((places) => places.some(([begin]) => begin === from))) ?? [];
  return {
    /** `searched`: how many memories; `skipped`: those that were not, each with the reason. */
    ...{ hits, searched, skipped, ...limits },
    ...(unknownToAll.length > 0 && { missing: unknownToAll }),
    ...(nothingFits && { fits: false as const }),
  };
}

async function searchOne(
  workspace: Workspace,
  request: SearchRequest,
  config: SearchConfig,
  fitMin: number,
): Promise<Fitting> {
  const store = openStoreAside(workspace.database);
  if (store === null) return { hits: [], fits: false };
  try {
    const searcher = new Searcher({
      store: new SearchReads(store, true),
      embedder: noVectors,
      depth,
      settings: {
        topK: config.topK,
        rrfK: config['search.rrfK'],
        halfLifeDays: config['search.halfLifeDays'],
        decayFloor: config['search.decayFloor'],
      },
      now: () => Date.now(),
    });
    return await searcher.fitting(request, fitMin);
  } finally {
    store.close();
  }
}

/** Of one memory among many: enough for its best few and their neighbours. */
const depth = 50;

const noVectors = {
  current: () => Promise.reject(new Failure('unavailable', 'a search everywhere has no vectors')),
  failed: () => undefined,
};

/** The folder of its project; its key when no daemon has recorded the folder. */
function nameOf({ root, key }: Workspace): string {
  return root === '' ? key : root;
}

function reasonOf(error: unknown): string {
  return isCorruption(error) ? damageFailure(messageOf(error)).message : messageOf(error);
}
