import type { Embedder } from './embedder.ts';

/** A place in the cascade: an embedder that may be there or not. */
export interface EmbedderSource {
  /** The name its embedder has. */
  readonly name: string;
  /** The embedder if it can embed now, else null. Never rejects; ends soon after `signal` is aborted. */
  look(signal: AbortSignal): Promise<Embedder | null>;
  /** To be told when its embedder could not embed: the next look takes nothing for known. */
  forget(): void;
  close(): Promise<void>;
}
