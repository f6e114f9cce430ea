import { sessionBlockVectorsMax } from '#core/limits';
import type { PackedVectors, SumWeights } from './scan/packed-vectors.ts';

/** The weights of a call and of its neighbours. */
export interface Neighbourhood {
  /** The distance in calls at which the weight of a neighbour halves. */
  readonly halving: number;
  /** The weight of the call itself; its next neighbours have a little less than 1. */
  readonly own: number;
}

/** The rows of a session by ascending id. */
interface Session {
  readonly rows: number[];
  /** Rows of a block; neighbours outside it do not count. 1 for rows without a session. */
  readonly blockRows: number;
  /** The number of rows from the first whose sums have a known length. */
  measured: number;
}

export interface Rows {
  readonly vectors: PackedVectors;
  idOf(row: number): number;
}

/**
 * The cosines of rows summed with their neighbours. The weights fall exponentially to both sides, so one pass forward and one
 * backward give all sums of a block (a recursive filter). A session is cut into blocks by the order of its ids, whatever the order
 * of arrival.
 */
export class SessionSums {
  readonly #weights: SumWeights;
  readonly #rows: Rows;
  readonly #sessions = new Map<string, Session>();
  readonly #sessionOf: Session[] = [];
  readonly #unmeasured = new Set<Session>();
  readonly #scratch = new Float64Array(sessionBlockVectorsMax);
  /** The length of the sum of each row. */
  #lengths = new Float32Array(64);

  constructor(rows: Rows, { halving, own }: Neighbourhood) {
    this.#rows = rows;
    this.#weights = { own, fall: 2 ** (-1 / halving) };
  }

  /** To be called after `row` was added or got another vector. */
  add(row: number, name: string): void {
    // An event stays in its session.
    let session = this.#sessionOf[row] ?? this.#sessions.get(name);
    if (session === undefined) {
      session = { rows: [], blockRows: name === '' ? 1 : sessionBlockVectorsMax, measured: 0 };
      this.#sessions.set(name, session);
    }
    const index = this.#indexOf(session, this.#rows.idOf(row));
    if (session.rows[index] !== row) session.rows.splice(index, 0, row);
    this.#sessionOf[row] = session;
    this.#changed(session, index);
    if (row >= this.#lengths.length) this.#grow();
  }

  /** Measures about one block of unknown lengths; false when none was left. */
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

  /** Replaces the dot product of every row with the query by its cosine. */
  cosines(dots: Float32Array): void {
    for (const session of this.#sessions.values()) {
      for (let from = 0; from < session.rows.length; from += session.blockRows)
        this.#cosinesOfBlock(session, from, dots);
    }
  }

  /** The same, to the bit, for the block of `row` alone; `dotAt` writes the dot product of a row. */
  cosinesAround(row: number, dots: Float32Array, dotAt: (row: number) => void): void {
    const session = this.#sessionOf[row];
    if (session === undefined) return;
    const index = this.#indexOf(session, this.#rows.idOf(row));
    const from = index - (index % session.blockRows);
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

  /** The index of `id` in its session, or where to insert it. */
  #indexOf({ rows }: Session, id: number): number {
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

  #changed(session: Session, index: number): void {
    session.measured = Math.min(session.measured, index - (index % session.blockRows));
    this.#unmeasured.add(session);
  }

  #grow(): void {
    const larger = new Float32Array(this.#lengths.length * 2);
    larger.set(this.#lengths);
    this.#lengths = larger;
  }
}
