import type { MessageFields } from '#core/event';
import type { Embedder } from '#memory/embed';
import { SearchReads } from '#memory/store';
import { packVector } from '#memory/vector';
import { eventAt, newStore } from '../store/store.ts';

/** What a test says of a memory; the rest is filled in. */
export interface Memory {
  readonly text: string;
  readonly terms?: string;
  readonly ts?: string;
  readonly session?: string;
  readonly tool?: string;
  /** Of an edit. */
  readonly file?: string;
  readonly pinned?: boolean;
  /** Only of a message. */
  readonly message?: MessageFields | undefined;
}

/** A store in a folder of its own, filled as a drain fills it. */
export class TestMemories {
  readonly #own = newStore();
  readonly reads = new SearchReads(this.#own.store);
  #count = 0;

  close(): void {
    this.#own.remove();
  }

  /** Removes all memories: quicker than another store. */
  clear(): void {
    this.#own.store.connection.exec('DELETE FROM events');
  }

  /** Answers the ids, in the order of `memories`. */
  add(memories: readonly Memory[]): number[] {
    const { connection, events, summaries } = this.#own.store;
    const first = this.#count;
    this.#count += memories.length;
    events.insert(
      memories.map(
        ({ ts = '2026-01-01T00:00:00.000Z', session = 's1', tool = 'Bash', text, message, file }, at) =>
          eventAt(first + at, {
            ...{ ts, tool, sessionId: session },
            ...(message && { message, output: text }),
            ...(file !== undefined && { tool: 'Edit', input: { file_path: file } }),
          }),
      ),
    );
    const drafts = events.claim('tester', 0, memories.length, Date.now()).map(({ seq }, at) => {
      const { text = '', terms = '' } = memories[at] ?? {};
      return { eventSeq: seq, text, terms, model: 'm' };
    });
    summaries.finish('tester', drafts);
    const ids = connection
      .all('SELECT id FROM summaries ORDER BY id DESC LIMIT ?', memories.length)
      .map((row) => Number(row.id))
      .reverse();
    for (const [at, id] of ids.entries()) if (memories[at]?.pinned) summaries.pin(id, true);
    return ids;
  }

  /** Makes the vectors of `ids` as the product does, in place of those they have. */
  async embed(embedder: Embedder, ids: readonly number[]): Promise<void> {
    const rows = this.reads.rows(ids);
    const vectors = await embedder.embed(
      rows.map(({ text, terms }) => `${text}\n${terms}`),
      new AbortController().signal,
    );
    for (const [at, vector] of vectors.entries()) this.putVector(embedder, rows[at]?.id ?? 0, vector);
  }

  putVector(embedder: Embedder, id: number, vector: Float32Array): void {
    this.#save(embedder, id, packVector(vector), vector.length);
  }

  /** Some bytes in the place of a vector, as damage or another program may leave them. */
  putBytes(embedder: Embedder, id: number, bytes: Uint8Array): void {
    this.#save(embedder, id, bytes, 384);
  }

  supersede(newer: number, older: number): void {
    const edge = { kind: 'supersedes', evidence: 'a test', ts: '2026-01-01T00:00:00.000Z' } as const;
    this.#own.store.edges.add([{ from: newer, to: older, ...edge }]);
  }

  forget(id: number): void {
    this.#own.store.summaries.forget(id);
  }

  #save({ name, version }: Embedder, summaryId: number, vector: Uint8Array, dim: number): void {
    const text = this.reads.rows([summaryId])[0]?.text ?? '';
    this.#own.store.embeddings.save(name, version, [{ summaryId, text, vector, dim }]);
  }
}
