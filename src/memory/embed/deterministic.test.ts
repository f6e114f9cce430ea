import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deterministicEmbedder } from './deterministic.ts';
import { VectorIndex } from './vector-index.ts';

const embedder = deterministicEmbedder();
const signal = new AbortController().signal;

async function vectorOf(text: string): Promise<Float32Array> {
  return (await embedder.embed([text], signal))[0] ?? new Float32Array();
}

async function likeness(a: string, b: string): Promise<number> {
  const index = new VectorIndex(384);
  index.add(1, await vectorOf(a));
  return index.similarity(await vectorOf(b), 1) ?? 0;
}

/** As float32, little-endian. */
function floats(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, 4 * at);
  return bytes;
}

test('the same bits on every machine and in every version that calls itself 1', async () => {
  const vectors = await embedder.embed(
    ['Fixed the token refresh in src/auth/session.ts', '数据库 timeout'],
    signal,
  );
  const digest = createHash('sha256');
  for (const vector of vectors) digest.update(floats(vector));
  expect(digest.digest('hex')).toMatchInlineSnapshot(
    `"65540581a0deb225402263e04a5fe49a368bf6dc220b113129813ffd446f2516"`,
  );
});

test('vectors have unit length, or none at all for a text without a word', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
      const vector = await vectorOf(text);
      const length = Math.hypot(...vector);
      expect(vector).toHaveLength(384);
      expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
    }),
  );
});

test('knows inflections, parts of identifiers and synonyms; strangers stay below the bound', async () => {
  const text = 'Removed the credentials from loginHandler';
  for (const near of ['remove credential', 'login handler', 'removing the credentialed login']) {
    expect(await likeness(text, near), near).toBeGreaterThan(embedder.minSimilarity);
  }
  expect(await likeness('delete the secret', 'remove credentials')).toBeGreaterThan(embedder.minSimilarity);
  for (const far of ['the weather in Lisbon', 'bump webpack to 5.2', 'qwxzv']) {
    expect(await likeness(text, far), far).toBeLessThan(embedder.minSimilarity);
  }
});
