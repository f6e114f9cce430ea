import type { SearchReads } from '../../memory/store/index.ts';
import type { Measured } from './rank.ts';

interface Folded {
  /** One of each group of equal results: the newest, with the best score of the group. */
  readonly shown: Measured[];
  readonly folded: ReadonlyMap<number, Measured>;
}

/**
 * Equal results become one: the same call with the same arguments and result, the same words of one speaker. Times that a run took do
 * not count. A pinned memory stays by itself.
 */
export function foldEqual(store: SearchReads, bestFirst: Measured[]): Folded {
  const groups = groupsOf(store, bestFirst);
  if (groups.length === 0) return { shown: bestFirst, folded: new Map() };
  const folded = new Map<number, Measured>();
  const newest = new Map<number, Measured>();
  for (const group of groups) {
    const [best] = group;
    const last = group.reduce((one, other) => (isNewer(other, one) ? other : one));
    if (best === undefined) continue;
    const equalFactor = last.score > 0 ? best.score / last.score : 1;
    newest.set(last.place.id, { ...last, equalFactor, score: last.score * equalFactor, count: group.length });
    for (const one of group) if (one !== last) folded.set(one.place.id, { ...one, equalTo: last.place.id });
  }
  const shown = bestFirst.flatMap((one) =>
    folded.has(one.place.id) ? [] : [newest.get(one.place.id) ?? one],
  );
  return { shown, folded };
}

/** The groups of two or more, each best first. Arguments are read only where the summaries are equal. */
function groupsOf(store: SearchReads, bestFirst: readonly Measured[]): Measured[][] {
  const foldable = bestFirst.filter(({ place }) => place.kind !== 'session' && !place.pinned);
  const texts = store.texts(foldable.map(({ place }) => place.id));
  const alike = grouped(foldable, ({ place }) => {
    const text = texts.get(place.id);
    return text === undefined ? null : `${place.tool}\n${text.replace(timeTaken, '')}`;
  });
  if (alike.length === 0) return [];
  const inputs = store.inputs(alike.flat().map(({ place }) => place.id));
  return alike.flatMap((group) => grouped(group, ({ place }) => inputs.get(place.id) ?? null));
}

function grouped(some: readonly Measured[], keyOf: (one: Measured) => string | null): Measured[][] {
  const groups = new Map<string, Measured[]>();
  for (const one of some) {
    const key = keyOf(one);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function isNewer({ place: a }: Measured, { place: b }: Measured): boolean {
  return a.ts === b.ts ? a.id > b.id : a.ts > b.ts;
}

/** `in 1.24 s`, `(312ms)`, `12:04:31`. */
const timeTaken =
  /\b\d+(?:[.,]\d+)?\s?(?:ms|s|sec|secs|seconds|min|m)\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g;
