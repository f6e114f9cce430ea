import type { Connection } from './connection.ts';
import { Leaf, numberAt, RowReader } from './fts5-leaf.ts';
import { blob, list } from './row.ts';

/** Where a term stands: ids in ascending order, and how often in each, both columns together. */
export interface Postings {
  readonly ids: Float64Array;
  readonly times: Uint32Array;
}

/**
 * The lists of rows in FTS5's index, read from the pages it keeps them in, whose format is documented and part of the file's.
 * FTS5 itself gives a row in 0.2 us (`fts5vocab`) to 0.65 us (bm25()), which is most of what a search would take; here it is
 * a fiftieth of a microsecond. Null for an index that is written otherwise than by default, which FTS5 has to read.
 * @throws RangeError when a page is not as it should be
 */
export function readPostings(connection: Connection, terms: readonly string[]): Map<string, Postings> | null {
  // Pages move with every commit: they have to be of one time.
  connection.exec('SAVEPOINT postings');
  try {
    const segments = segmentsOf(connection);
    return segments === null ? null : listsIn(connection, segments, terms);
  } finally {
    connection.exec('RELEASE postings');
  }
}

/** Where any of the terms of some lists stands. */
export function union(lists: readonly Postings[]): Postings {
  const [only = none] = lists;
  if (lists.length < 2) return only;
  const times = new Map<number, number>();
  for (const list of lists) {
    for (const [at, id] of list.ids.entries()) times.set(id, (times.get(id) ?? 0) + (list.times[at] ?? 0));
  }
  const ids = Float64Array.from(times.keys()).sort();
  return { ids, times: Uint32Array.from(ids, (id) => times.get(id) ?? 0) };
}

/** A sorted part of the index. What a newer one says of a row of a term takes the place of what an older one does. */
interface Segment {
  readonly id: number;
  readonly firstPage: number;
  readonly lastPage: number;
}

/** Newest first. https://www.sqlite.org/fts5.html#structure_record_format */
function segmentsOf(connection: Connection): Segment[] | null {
  const row = connection.get(
    "SELECT block, (SELECT v FROM summaries_fts_config WHERE k = 'version') AS version FROM summaries_fts_data WHERE id = 10",
  );
  if (row === undefined || row.version !== plainVersion) return null;
  const bytes = blob(row, 'block');
  // Behind the cookie, a newer kind of record has a mark that no count of levels begins with.
  const cursor = { at: 4 };
  if (bytes[cursor.at] === 0xff) return null;
  const levels = numberAt(bytes, cursor);
  numberAt(bytes, cursor);
  numberAt(bytes, cursor);
  const segments: Segment[] = [];
  for (let level = 0; level < levels; level++) {
    numberAt(bytes, cursor);
    const count = numberAt(bytes, cursor);
    const ofLevel: Segment[] = [];
    for (let at = 0; at < count; at++) {
      const id = numberAt(bytes, cursor);
      const firstPage = numberAt(bytes, cursor);
      ofLevel.unshift({ id, firstPage, lastPage: numberAt(bytes, cursor) });
    }
    segments.push(...ofLevel);
  }
  // A segment that has been merged into another one entirely has no pages.
  return segments.filter(({ firstPage }) => firstPage > 0);
}

function listsIn(
  connection: Connection,
  segments: readonly Segment[],
  terms: readonly string[],
): Map<string, Postings> {
  const pages = new Pages(connection, firstPages(connection, segments, terms));
  const reader = new RowReader();
  return new Map(
    terms.map((term, at) => {
      const key = Buffer.from(`0${term}`);
      const lists = segments.flatMap((segment, of) => {
        const list = rowsIn(pages.first(of * terms.length + at), pages, segment, key, reader);
        return list === null ? [] : [list];
      });
      // The newest segments are the smallest, so that what has been merged is not copied often.
      const merged = lists.reduce<Postings>(merge, none);
      return [term, merged.times.includes(0) ? withoutGone(merged) : merged];
    }),
  );
}

/** The key of the page where each term begins in each segment, if it is in there: those of a segment together. */
function firstPages(
  connection: Connection,
  segments: readonly Segment[],
  terms: readonly string[],
): number[] {
  const sql = `SELECT json_group_array(coalesce((SELECT pgno FROM summaries_fts_idx
        WHERE segid = s.value AND term <= t.key ORDER BY term DESC LIMIT 1), 0)) AS pages
      FROM json_each(?) s CROSS JOIN (SELECT CAST('0' || value AS BLOB) AS key FROM json_each(?)) t`;
  const ids = JSON.stringify(segments.map(({ id }) => id));
  const pages = list<number>(connection.get(sql, ids, JSON.stringify(terms)) ?? {}, 'pages');
  return pages.map((page, at) => {
    const segment = segments[Math.floor(at / terms.length)];
    if (segment === undefined) return 0;
    // Its lowest bit says whether the page has a further index. Pages below the first one have been merged away.
    return keyOf(segment, Math.max(Math.floor(page / 2), segment.firstPage));
  });
}

/** A leaf and its key in `%_data`. */
interface Place {
  readonly key: number;
  readonly leaf: Leaf;
}

/** The pages that are read together, and those that follow them. */
class Pages {
  readonly #connection: Connection;
  readonly #first: readonly number[];
  readonly #leaves: ReadonlyMap<number, Leaf>;

  constructor(connection: Connection, first: readonly number[]) {
    this.#connection = connection;
    this.#first = first;
    this.#leaves = this.#read([...new Set(first)]);
  }

  /** The page that `firstPages` told of at `at`. */
  first(at: number): Place {
    const key = this.#first[at] ?? 0;
    const leaf = this.#leaves.get(key);
    if (leaf === undefined) throw new RangeError('a leaf of the lexical index is missing');
    return { key, leaf };
  }

  /** Pages in order from `key` to `last`, a few more each time. */
  *from(key: number, last: number): Iterable<Leaf> {
    for (let at = key, some = 2; at <= last; at += some, some *= 2) {
      const count = Math.min(some, last - at + 1);
      yield* this.#read(Array.from({ length: count }, (_, more) => at + more)).values();
    }
  }

  /** One value for all: a row that crosses into JavaScript costs as much as ten that SQLite puts together. */
  #read(keys: readonly number[]): Map<number, Leaf> {
    const sql = `SELECT json_group_array(d.id) AS ids, json_group_array(length(d.block)) AS lengths,
        CAST(coalesce(group_concat(d.block, ''), '') AS BLOB) AS blocks
      FROM json_each(?) j CROSS JOIN summaries_fts_data d ON d.id = j.value`;
    const row = this.#connection.get(sql, JSON.stringify(keys)) ?? {};
    const lengths = list<number>(row, 'lengths');
    const blocks = blob(row, 'blocks');
    let start = 0;
    return new Map(
      list<number>(row, 'ids').map((id, at) => {
        const end = start + (lengths[at] ?? 0);
        const leaf = new Leaf(blocks.subarray(start, end));
        start = end;
        return [id, leaf];
      }),
    );
  }
}

/** Null when the term is not in this segment. */
function rowsIn(
  { key, leaf }: Place,
  pages: Pages,
  segment: Segment,
  term: Uint8Array,
  reader: RowReader,
): Postings | null {
  reader.reset();
  const ends = leaf.rowsOf(term, reader);
  if (ends === null) return null;
  if (!ends) {
    for (const next of pages.from(key + 1, keyOf(segment, segment.lastPage)))
      if (next.continue(reader)) break;
  }
  return reader.read();
}

/** `%_data.id` of a leaf. */
function keyOf({ id }: Segment, page: number): number {
  return id * 2 ** 37 + page;
}

function merge(newer: Postings, older: Postings): Postings {
  if (newer.ids.length === 0) return older;
  const ids = new Float64Array(newer.ids.length + older.ids.length);
  const times = new Uint32Array(ids.length);
  let count = 0;
  let at = 0;
  for (let from = 0; from < older.ids.length; from++) {
    const id = older.ids[from] ?? 0;
    for (; at < newer.ids.length && (newer.ids[at] ?? 0) < id; at++, count++) {
      ids[count] = newer.ids[at] ?? 0;
      times[count] = newer.times[at] ?? 0;
    }
    if (at < newer.ids.length && newer.ids[at] === id) continue;
    ids[count] = id;
    times[count] = older.times[from] ?? 0;
    count += 1;
  }
  ids.set(newer.ids.subarray(at), count);
  times.set(newer.times.subarray(at), count);
  count += newer.ids.length - at;
  return { ids: ids.subarray(0, count), times: times.subarray(0, count) };
}

function withoutGone({ ids, times }: Postings): Postings {
  return { ids: ids.filter((_, at) => (times[at] ?? 0) > 0), times: times.filter((count) => count > 0) };
}

const none: Postings = { ids: new Float64Array(0), times: new Uint32Array(0) };
/** Of the format of an index that `secure-delete` has never been on for. */
const plainVersion = 4;
