import { type Hunk, signedBetween, sizeOf } from './diff.ts';

/** Lines of a file before its first change there and after the last. */
export interface Place {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The place of a hunk, by its signed lines. */
export function placeOf({ signed }: Pick<Hunk, 'signed'>): Place {
  const without = (sign: string): string[] =>
    signed().flatMap((line) => (line.startsWith(sign) ? [] : [line.slice(1)]));
  return { before: without('+'), after: without('-') };
}

/** A change of what earlier ones wrote continues these; else it is a place of its own. */
export function addPlace(places: Place[], { before, after }: Place): void {
  const met = places.flatMap((place) => {
    const at = overlapAt(place.after, before);
    return at === null ? [] : [{ place, at }];
  });
  const old: string[] = [];
  let [head, tail]: readonly (readonly string[])[] = [[], []];
  let [from, index] = [0, places.length];
  for (const { place, at } of met.sort((one, other) => one.at - other.at)) {
    if (from > 0 && at < from) continue;
    old.push(...before.slice(from, Math.max(at, from)), ...place.before);
    if (at < 0) head = place.after.slice(0, -at);
    from = at + place.after.length;
    tail = place.after.slice(before.length - at);
    const found = places.indexOf(place);
    index = Math.min(index, found);
    places.splice(found, 1);
  }
  old.push(...before.slice(from));
  places.splice(index, 0, { before: old, after: [...(head ?? []), ...after, ...(tail ?? [])] });
}

/** Where in `before` the lines of `after` begin, at the longest overlap; negative: above it. */
function overlapAt(after: readonly string[], before: readonly string[]): number | null {
  let [found, longest]: [number | null, number] = [null, 0];
  for (let at = 1 - after.length; at < before.length; at += 1) {
    const shared = before.slice(Math.max(0, at), at + after.length);
    if (shared.length <= longest || !shared.every((line, i) => line === after[Math.max(0, -at) + i]))
      continue;
    // Brackets and blank lines are everywhere.
    const isWhole = shared.length === after.length && shared.some((line) => /[\p{L}\p{N}]/u.test(line));
    if (shared.length < before.length && !isWhole && !shared.some((line) => line.trim().length >= tellingMin))
      continue;
    [found, longest] = [at, shared.length];
  }
  return found;
}

const tellingMin = 8;

/** How many lines came and went altogether. */
export function sizeOfPlaces(places: readonly Place[]): ReturnType<typeof sizeOf> {
  return sizeOf(places.map(({ before, after }) => ({ signed: () => signedBetween(before, after) })));
}
