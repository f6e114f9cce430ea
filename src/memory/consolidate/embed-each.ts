import { errorCode } from '#core/platform';
import type { Embedder } from '#memory/embed';

/**
 * The vector of each text, null for one that the embedder refuses although it accepts another one right after it. Refused texts
 * are split until the one at fault is alone. Rejects when the embedder cannot embed at all.
 */
export async function embedEach(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Float32Array | null)[]> {
  try {
    return await embedder.embed(texts, signal);
  } catch (error) {
    if (!refusals.has(errorCode(error) ?? '')) throw error;
    await embedder.embed(['probe'], signal);
  }
  if (texts.length <= 1) return texts.map(() => null);
  const middle = Math.ceil(texts.length / 2);
  const before = await embedEach(embedder, texts.slice(0, middle), signal);
  return [...before, ...(await embedEach(embedder, texts.slice(middle), signal))];
}

/** A text may make a model output NaN, which is malformed. */
const refusals: ReadonlySet<string> = new Set(['embed_refused', 'embed_malformed']);
