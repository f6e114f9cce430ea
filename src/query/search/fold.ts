import type { Content, SearchReads } from '#memory/store';
import { type Factor, type Scored, times } from './factor.ts';
import { groupedBy } from './groups.ts';

/** The parts of a candidate that folding reads and sets. */
interface Foldable extends Scored {
  readonly count: number;
  readonly equalTo: number | null;
}

interface Folded<M> {
  /** One of each group of equal results: the newest, with the best score of the group. */
  readonly shown: M[];
  readonly folded: ReadonlyMap<number, M>;
}

/**
 * Equal results become one: the same call with the same arguments and result, the same words of one speaker. Times that a run took do
 * not count. A pinned memory stays by itself. What can only come after the best `shown` is not compared.
 */
export function foldEqual<M extends Foldable>(store: SearchReads, bestFirst: M[], shown: number): Folded<M> {
  const groups = groupsOf(store, bestFirst, shown * spare);
  if (groups.length === 0) return { shown: bestFirst, folded: new Map() };
  const folded = new Map<number, M>();
  const newest = new Map<number, M>();
  for (const group of groups) {
    const [best] = group;
    const last = group.reduce((one, other) => (isNewer(other, one) ? other : one));
    if (best === undefined) continue;
    const value = last.score > 0 ? best.score / last.score : 1;
    const factor: Factor = { name: 'equal', value, words: 'with the rank of the best' };
    newest.set(last.place.id, times({ ...last, count: group.length }, factor));
    for (const one of group) if (one !== last) folded.set(one.place.id, { ...one, equalTo: last.place.id });
  }
  const left = bestFirst.flatMap((one) =>
    folded.has(one.place.id) ? [] : [newest.get(one.place.id) ?? one],
  );
  return { shown: left, folded };
}

/** The groups of two or more, each best first, of which one is among the first `looked`. Payloads are read only where the summaries begin alike. */
function groupsOf<M extends Foldable>(store: SearchReads, bestFirst: readonly M[], looked: number): M[][] {
  const alike = grouped(bestFirst, ({ place }) => place.alike);
  const first = new Set(bestFirst.slice(0, looked));
  const near = alike.filter(([best]) => best !== undefined && first.has(best));
  if (near.length === 0) return [];
  const contents = store.contents(near.flat().map(({ place }) => place.id));
  const sameCalls = near.flatMap((group) =>
    grouped(group, ({ place }) => contents.get(place.id)?.asked ?? null),
  );
  return sameCalls.flatMap((group) => sameResults(group, contents));
}

/** A summary may say what a run had repaired, and the output differ by a folder: one of the two is the same. */
function sameResults<M extends Foldable>(group: readonly M[], contents: ReadonlyMap<number, Content>): M[][] {
  const groups: { readonly results: Set<string>; readonly of: M[] }[] = [];
  for (const one of group) {
    const { text = '', output = '' } = contents.get(one.place.id) ?? {};
    const own = [`text ${text}`, `output ${output}`].map((result) => result.replace(timeTaken, ''));
    const same = groups.find(({ results }) => own.some((result) => results.has(result)));
    if (same === undefined) {
      groups.push({ results: new Set(own), of: [one] });
      continue;
    }
    for (const result of own) same.results.add(result);
    same.of.push(one);
  }
  return groups.flatMap(({ of }) => (of.length > 1 ? [of] : []));
}

/** Folding and states move results up: so many times what is shown is compared. */
const spare = 3;

function grouped<M>(some: readonly M[], keyOf: (one: M) => string | null): M[][] {
  return [...groupedBy(some, keyOf).values()].filter(({ length }) => length > 1);
}

function isNewer({ place: a }: Foldable, { place: b }: Foldable): boolean {
  return a.ts === b.ts ? a.id > b.id : a.ts > b.ts;
}

/** `in 1.24 s`, `(312ms)`, `12:04:31`. */
const timeTaken =
  /\b\d+(?:[.,]\d+)?\s?(?:ms|s|sec|secs|seconds|min|m)\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b/g;
