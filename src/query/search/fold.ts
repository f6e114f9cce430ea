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

/** The groups of two or more, each best first. Payloads are read only where the summaries begin alike. */
function groupsOf(store: SearchReads, bestFirst: readonly Measured[]): Measured[][] {
  const foldable = bestFirst.filter(({ place }) => place.kind !== 'session' && !place.pinned);
  const texts = store.texts(foldable.map(({ place }) => place.id));
  const textOf = ({ place }: Measured) => texts.get(place.id)?.replace(timeTaken, '') ?? null;
  const alike = grouped(foldable, (one) => {
    const text = textOf(one);
    return text === null ? null : `${one.place.tool}\n${text.slice(0, beginningChars)}`;
  });
  if (alike.length === 0) return [];
  const stored = store.contents(alike.flat().map(({ place }) => place.id));
  const sameCalls = alike.flatMap((group) =>
    grouped(group, ({ place }) => stored.get(place.id)?.asked ?? null),
  );
  const outputOf = ({ place }: Measured) => stored.get(place.id)?.output.replace(timeTaken, '') ?? '';
  return sameCalls.flatMap((group) => sameResults(group, textOf, outputOf));
}

/** A summary may say what a run had repaired, and the output differ by a folder: one of the two is the same. */
function sameResults(
  group: readonly Measured[],
  textOf: (one: Measured) => string | null,
  outputOf: (one: Measured) => string,
): Measured[][] {
  const groups: { texts: Set<string | null>; outputs: Set<string>; of: Measured[] }[] = [];
  for (const one of group) {
    const [text, output] = [textOf(one), outputOf(one)];
    const same = groups.find(({ texts, outputs }) => texts.has(text) || outputs.has(output));
    const into = same ?? { texts: new Set(), outputs: new Set(), of: [] };
    if (same === undefined) groups.push(into);
    into.texts.add(text);
    into.outputs.add(output);
    into.of.push(one);
  }
  return groups.flatMap(({ of }) => (of.length > 1 ? [of] : []));
}

/** A run of a check begins with its command. */
const beginningChars = 24;

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
