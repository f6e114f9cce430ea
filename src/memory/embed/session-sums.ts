import { sessionBlockVectorsMax } from '../../core/limits.ts';
import type { PackedVectors, SumWeights } from './scan/packed-vectors.ts';

/** How much of a call's surroundings counts in what stands for it. */
export interface Neighbourhood {
  /** Calls after which a neighbour weighs half as much. */
  readonly halving: number;
  /** What the call itself weighs; its next neighbours weigh a little less than 1. */
  readonly own: number;
}

/** The rows of a session in the ascending order of their ids. */
interface Session {
  readonly rows: number[];
  /** Rows of a block: neighbours are looked for within it only. 1 for what has no session. */
  readonly blockRows: number;
  /** For how many rows from the first the lengths of the sums are known. */
  measured: number;
}

/** What the sums need to know of the rows. */
export interface Rows {
  readonly vectors: PackedVectors;
  idOf(row: number): number;
}

/**
 * Which rows stand around each other, and the cosines of the sums they make. The weights fall exponentially to both sides,
 * so all sums of a block come from one pass forward and one backward (a recursive filter), whatever the halving. A
 * session is cut into blocks by its order alone, so that it does not matter when its rows came.
 */
export class SessionSums {
  readonly #weights: SumWeights;
  readonly #rows: Rows;
  readonly #sessions = new Map<string, Session>();
  readonly #sessionOf: (Session | undefined)[] = [];
  readonly #unmeasured = new Set<Session>();
  readonly #scratch = new Float64Array(sessionBlockVectorsMax);
  /** The length of the sum of each row. */
  #lengths = new Float32Array(64);

  constructor(rows: Rows, { halving, own }: Neighbourhood) {
    this.#rows = rows;
    this.#weights = { own, fall: 2 ** (-1 / halving) };
  }

  /** Takes in that `row` is there, or that its vector is another one. */
  add(row: number, name: string): void {
    const former = this.#sessionOf[row];
    let session = this.#sessions.get(name);
    if (session === undefined) {
      session = { rows: [], blockRows: name === '' ? 1 : sessionBlockVectorsMax, measured: 0 };
      this.#sessions.set(name, session);
    }
    if (former !== undefined && former !== session) this.remove(row);
    const place = this.#placeOf(session, this.#rows.idOf(row));
    if (session.rows[place] !== row) session.rows.splice(place, 0, row);
    this.#sessionOf[row] = session;
    this.#changed(session, place);
    if (row >= this.#lengths.length) this.#grow();
  }

  /** To be told before the row is gone. A session without rows stays: a name is short. */
  remove(row: number): void {
    const session = this.#sessionOf[row];
    if (session === undefined) return;
    const place = this.#placeOf(session, this.#rows.idOf(row));
    session.rows.splice(place, 1);
    this.#changed(session, place);
    this.#sessionOf[row] = undefined;
  }

  /** To be told before what is at `from`, the last row, is at the empty row `to`. */
  move(from: number, to: number): void {
    const session = this.#sessionOf[from];
    if (session === undefined) return;
    session.rows[this.#placeOf(session, this.#rows.idOf(from))] = to;
    this.#sessionOf[to] = session;
    this.#lengths[to] = this.#lengths[from] ?? 0;
    this.#sessionOf.length = from;
  }

  /** Measures lengths that are not known, about one full block's worth of them; false when there were none. */
  measureSome(): boolean {
    let left = sessionBlockVectorsMax;
    for (const session of this.#unmeasured) {
      while (session.measured < session.rows.length) {
        if (left <= 0) return true;
        const from = session.measured;
        const until = Math.min(from + session.blockRows, session.rows.length);
        this.#rows.vectors.lengthsOfSums(session.rows, from, until, this.#weights, this.#lengths);
        session.measured = until;
        left -= until - from;
      }
      this.#unmeasured.delete(session);
    }
    return left < sessionBlockVectorsMax;
  }

  /** Puts the cosine of every row in the place of its dot product with the query. */
  cosines(dots: Float32Array): void {
    for (const session of this.#sessions.values()) {
      for (let from = 0; from < session.rows.length; from += session.blockRows) {
        this.#cosinesOfBlock(session, from, dots);
      }
    }
  }

  /** The same for the block of `row` alone, whose dot products are asked for by row: the same numbers, to the bit. */
  cosinesAround(row: number, dots: Float32Array, dotAt: (row: number) => void): void {
    const session = this.#sessionOf[row];
    if (session === undefined) return;
    const place = this.#placeOf(session, this.#rows.idOf(row));
    const from = place - (place % session.blockRows);
    for (const one of session.rows.slice(from, from + session.blockRows)) dotAt(one);
    this.#cosinesOfBlock(session, from, dots);
  }

  #cosinesOfBlock({ rows, blockRows }: Session, from: number, dots: Float32Array): void {
    const { own, fall } = this.#weights;
    const count = Math.min(blockRows, rows.length - from);
    const sums = this.#scratch;
    let behind = 0;
    for (let at = 0; at < count; at++) {
      const dot = dots[rows[from + at] ?? 0] ?? 0;
      sums[at] = own * dot + behind;
      behind = (behind + dot) * fall;
    }
    let ahead = 0;
    for (let at = count - 1; at >= 0; at--) {
      const row = rows[from + at] ?? 0;
      const sum = (sums[at] ?? 0) + ahead;
      ahead = (ahead + (dots[row] ?? 0)) * fall;
      const length = this.#lengths[row] ?? 0;
      dots[row] = length === 0 ? 0 : sum / length;
    }
  }

  /** Where in its session the row of `id` is, or belongs. */
  #placeOf({ rows }: Session, id: number): number {
    let low = 0;
    let high = rows.length;
    // Most rows come last.
    if (high > 0 && this.#rows.idOf(rows[high - 1] ?? 0) < id) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#rows.idOf(rows[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #changed(session: Session, place: number): void {
    session.measured = Math.min(session.measured, place - (place % session.blockRows));
    this.#unmeasured.add(session);
  }

  #grow(): void {
    const larger = new Float32Array(this.#lengths.length * 2);
    larger.set(this.#lengths);
    this.#lengths = larger;
  }
}
