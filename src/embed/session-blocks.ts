import { sessionBlockVectorsMax } from '../limits.ts';
import { lengthsOfSums } from './session-lengths.ts';

/** How much of a call's surroundings counts in what stands for it. */
export interface Neighbourhood {
  /** Calls after which a neighbour weighs half as much. */
  readonly halving: number;
  /** What the call itself weighs; its next neighbours weigh a little less than 1. */
  readonly own: number;
}

/** A session by its name; a call without one stands alone, under its own id. */
type Session = string | number;

/** A stretch of one session, its ids in ascending order. Neighbours are looked for within a block only. */
interface Block {
  readonly session: Session;
  readonly ids: number[];
  /** Lengths of the sums that stand for the ids; null until they are measured, and again after a change. */
  lengths: Float64Array | null;
}

/**
 * Which vectors stand around each other, and the cosines of the sums they make. The weights fall exponentially to both sides,
 * so all sums of a block come from one pass forward and one backward (a recursive filter), whatever the halving.
 */
export class SessionBlocks {
  readonly #dim: number;
  readonly #fall: number;
  readonly #own: number;
  readonly #blocks = new Map<Session, Block[]>();
  readonly #blockOf = new Map<number, Block>();
  readonly #unmeasured = new Set<Block>();

  constructor(dim: number, { halving, own }: Neighbourhood) {
    this.#dim = dim;
    this.#fall = 2 ** (-1 / halving);
    this.#own = own;
  }

  /** Takes `id` in, or takes note that its vector has changed. */
  add(id: number, name: string): void {
    const session = name === '' ? id : name;
    if (this.#blockOf.get(id)?.session !== session) this.remove(id);
    this.#changed(this.#blockOf.get(id) ?? this.#place(id, session));
  }

  remove(id: number): void {
    const block = this.#blockOf.get(id);
    if (block === undefined) return;
    this.#blockOf.delete(id);
    block.ids.splice(block.ids.indexOf(id), 1);
    if (block.ids.length > 0) {
      this.#changed(block);
      return;
    }
    this.#unmeasured.delete(block);
    const left = (this.#blocks.get(block.session) ?? []).filter((one) => one !== block);
    if (left.length > 0) this.#blocks.set(block.session, left);
    else this.#blocks.delete(block.session);
  }

  /** Measures blocks whose lengths are not known, about one full block's worth of them; false when there were none. */
  measureSome(matrix: Float32Array, rowOf: ReadonlyMap<number, number>): boolean {
    if (this.#unmeasured.size === 0) return false;
    let measured = 0;
    for (const block of this.#unmeasured) {
      const starts = block.ids.map((id) => (rowOf.get(id) ?? 0) * this.#dim);
      block.lengths = lengthsOfSums(matrix, starts, this.#dim, { fall: this.#fall, own: this.#own });
      this.#unmeasured.delete(block);
      measured += starts.length;
      if (measured >= sessionBlockVectorsMax) break;
    }
    return true;
  }

  /** Tells the cosine of every id, from the dot products of the query with the vectors alone. */
  cosines(dotOf: (id: number) => number, tell: (id: number, cosine: number) => void): void {
    for (const blocks of this.#blocks.values()) {
      for (const block of blocks) this.#tellBlock(block, dotOf, tell);
    }
  }

  /** `cosines` of the block of `id` alone: the same numbers, to the bit. */
  cosinesAround(id: number, dotOf: (id: number) => number, tell: (id: number, cosine: number) => void): void {
    const block = this.#blockOf.get(id);
    if (block !== undefined) this.#tellBlock(block, dotOf, tell);
  }

  #tellBlock(
    { ids, lengths }: Block,
    dotOf: (id: number) => number,
    tell: (id: number, cosine: number) => void,
  ): void {
    const dots = new Float64Array(ids.length);
    const sums = new Float64Array(ids.length);
    let behind = 0;
    for (const [at, id] of ids.entries()) {
      const dot = dotOf(id);
      dots[at] = dot;
      sums[at] = this.#own * dot + behind;
      behind = (behind + dot) * this.#fall;
    }
    let ahead = 0;
    for (let at = ids.length - 1; at >= 0; at--) {
      sums[at] = (sums[at] ?? 0) + ahead;
      ahead = (ahead + (dots[at] ?? 0)) * this.#fall;
    }
    for (const [at, id] of ids.entries()) {
      const length = lengths?.[at] ?? 0;
      tell(id, length === 0 ? 0 : (sums[at] ?? 0) / length);
    }
  }

  /** Puts a new id into the last block that begins before it. */
  #place(id: number, session: Session): Block {
    const blocks = this.#blocks.get(session) ?? [];
    this.#blocks.set(session, blocks);
    let block = blocks.findLast(({ ids }) => (ids[0] ?? 0) < id) ?? blocks[0];
    if (block !== undefined && block.ids.length >= sessionBlockVectorsMax) {
      block = this.#cut(block, blocks, id);
    }
    if (block === undefined) {
      block = { session, ids: [], lengths: null };
      blocks.push(block);
    }
    block.ids.splice(block.ids.findLastIndex((one) => one < id) + 1, 0, id);
    this.#blockOf.set(id, block);
    return block;
  }

  /** Makes room for `id` in a full block; answers the part it belongs into. Ids mostly come in order: then nothing moves. */
  #cut(block: Block, blocks: Block[], id: number): Block {
    const isBehind = (block.ids.at(-1) ?? 0) < id;
    const from = isBehind ? block.ids.length : Math.floor(block.ids.length / 2);
    const second: Block = { session: block.session, ids: block.ids.splice(from), lengths: null };
    for (const one of second.ids) this.#blockOf.set(one, second);
    blocks.splice(blocks.indexOf(block) + 1, 0, second);
    this.#changed(block);
    this.#changed(second);
    return isBehind || (second.ids[0] ?? 0) < id ? second : block;
  }

  #changed(block: Block): void {
    block.lengths = null;
    this.#unmeasured.add(block);
  }
}
