import type { GivenRow } from '../../memory/store/index.ts';

/** The tools that read a memory of which an earlier answer gave the id. */
const reads: ReadonlySet<string> = new Set(['mem_get', 'mem_timeline', 'mem_why']);

/** What a session was given and what it did, in the order of its events. */
export class SessionUse {
  /** Each memory with the row that gave it first. */
  readonly given: readonly { readonly id: number; readonly row: GivenRow }[];
  /** The last event about a subject. */
  readonly #last = new Map<number, number>();
  readonly #fetches: readonly GivenRow[];

  constructor(
    id: string,
    events: readonly { readonly seq: number; readonly keys: readonly number[] }[],
    rows: readonly GivenRow[],
  ) {
    for (const { seq, keys } of events) for (const key of keys) this.#last.set(key, seq);
    const own = rows.filter(({ sessionId }) => sessionId === id);
    this.#fetches = own.filter(({ kind }) => reads.has(kind));
    const first = new Map<number, GivenRow>();
    for (const row of own)
      if (!reads.has(row.kind)) for (const one of row.ids) if (!first.has(one)) first.set(one, row);
    this.given = [...first].map(([one, row]) => ({ id: one, row }));
  }

  /** Whether an event later than `seq` is about one of `keys`. */
  did(keys: readonly number[], seq: number): boolean {
    return keys.some((key) => (this.#last.get(key) ?? 0) > seq);
  }

  /** Whether a memory was read after `row` gave it. */
  read(id: number, row: GivenRow): boolean {
    return this.#fetches.some(({ seq, ids }) => seq > row.seq && ids.includes(id));
  }
}
