/** Those of the same key, in the order in which they come; those without a key (null) in no group. */
export function groupedBy<One, Key>(all: Iterable<One>, keyOf: (one: One) => Key | null): Map<Key, One[]> {
  const groups = new Map<Key, One[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
