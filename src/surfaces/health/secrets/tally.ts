/** What was found in one place: how many rows or lines, and of which kinds. */
export interface Count {
  rows: number;
  readonly kinds: Map<string, number>;
}

/** Counts findings by place, and knows nothing else of them. */
export class Tally {
  readonly places = new Map<string, Count>();

  /** One row or line of `place`, with the kinds that redaction has counted in it. */
  add(place: string, kinds: Readonly<Record<string, number>>): void {
    const count = this.places.get(place) ?? { rows: 0, kinds: new Map() };
    count.rows += 1;
    for (const [kind, times] of Object.entries(kinds)) {
      count.kinds.set(kind, (count.kinds.get(kind) ?? 0) + times);
    }
    this.places.set(place, count);
  }

  /** `2 rows (aws-access-key 3, env 1)`, the commonest kind first. */
  static inWords({ rows, kinds }: Count, noun: string): string {
    const commonest = [...kinds].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return `${rows} ${noun}${rows === 1 ? '' : 's'} (${commonest.map((one) => one.join(' ')).join(', ')})`;
  }
}

/** Both counts in one. */
export function joinKinds(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const joined: Record<string, number> = { ...a };
  for (const [kind, count] of Object.entries(b)) joined[kind] = (joined[kind] ?? 0) + count;
  return joined;
}
