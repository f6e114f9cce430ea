import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { modelRetryMs, modelRetryMsMax } from '../../limits.ts';
import type { Embedder } from '../embedder.ts';
import type { EmbedderSource } from '../source.ts';
import { buildModelWorker, floats, newFolder, safetensors, smallVectors } from './folder-for-tests.ts';
import { folderSource } from './folder-source.ts';
import { ModelThread } from './thread.ts';

let worker: Awaited<ReturnType<typeof buildModelWorker>>;
beforeAll(async () => {
  worker = await buildModelWorker();
});
afterAll(() => worker.remove());

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const signal = new AbortController().signal;
const other = safetensors({
  embeddings: floats(
    [9, 3],
    smallVectors.map((value) => -value),
  ),
});

function opened(files: Parameters<typeof newFolder>[0] = {}, given?: string) {
  const made = newFolder(files);
  ends.push(made.remove);
  const told: string[] = [];
  const source = folderSource({
    folder: given ?? made.folder,
    script: worker.script,
    broken: ({ message }) => told.push(message),
  });
  ends.push(() => source.close());
  return { ...made, source, told };
}

async function found(source: EmbedderSource): Promise<Embedder> {
  const embedder = await source.look(signal);
  if (embedder === null) throw new Error('the folder gave no embedder');
  return embedder;
}

test('a folder of weights embeds, in a thread, under the name of the folder', async () => {
  const { source, told } = opened();
  expect(source.name).toBe('folder:small-model');
  const embedder = await found(source);
  expect([embedder.name, embedder.dim]).toEqual(['folder:small-model', 3]);
  const vectors = await embedder.embed(['redis', 'quokka', 'cache'], signal);
  expect(vectors).toEqual([Float32Array.of(0, 1, 0), Float32Array.of(0, 0, 0), Float32Array.of(1, 0, 0)]);
  expect(await embedder.embed([], signal)).toEqual([]);
  expect(await source.look(signal)).toBe(embedder);
  expect(told).toEqual([]);
});

test('other weights in the folder are another version, and the embedder of the old ones refuses', async () => {
  const { source, write } = opened();
  const before = await found(source);
  write('model.safetensors', other);
  const after = await found(source);
  expect(after.version).not.toBe(before.version);
  expect(await after.embed(['redis'], signal)).toEqual([Float32Array.of(0, -1, 0)]);
  await expect(before.embed(['redis'], signal)).rejects.toThrow('the files of the model have changed');
});

test('a broken folder is told of once, and again in other words; a mended one is used', async () => {
  const { source, told, write } = opened({ 'model.safetensors': null });
  expect([await source.look(signal), await source.look(signal)]).toEqual([null, null]);
  expect(told).toEqual([
    expect.stringMatching(/^embed\.modelPath: .*model\.safetensors is not there; .*; put a whole/),
  ]);
  write('model.safetensors', 'half a file');
  expect([await source.look(signal), await source.look(signal)]).toEqual([null, null]);
  expect(told.slice(1)).toEqual([expect.stringContaining('has no safetensors header')]);
  write('model.safetensors', other);
  expect((await found(source)).dim).toBe(3);
  expect(told).toHaveLength(2);
});

test('a path that depends on where the daemon was started is refused', async () => {
  const { source, told } = opened({}, 'weights/small-model');
  expect(await source.look(signal)).toBeNull();
  expect(told).toEqual([expect.stringContaining('weights/small-model is not an absolute path')]);
});

test('a thread that cannot be started costs the folder, not the process', async () => {
  const { folder } = opened();
  const told: string[] = [];
  const script = new URL('./there-is-no-such-file.cjs', worker.script);
  const source = folderSource({ folder, script, broken: ({ message }) => told.push(message) });
  ends.push(() => source.close());
  expect(await source.look(signal)).toBeNull();
  expect(told).toEqual([expect.stringContaining("the embedding model's thread failed")]);
});

test('a load that failed though the files are good is tried again after a pause, which doubles', async () => {
  const { folder, remove } = newFolder();
  ends.push(remove);
  const good = path.join(folder, 'memory-is-there');
  const loads = path.join(folder, 'loads');
  const script = path.join(folder, 'failing-at-first.cjs');
  const real = JSON.stringify(fileURLToPath(worker.script));
  fs.writeFileSync(
    script,
    `const fs = require('node:fs');
    fs.appendFileSync(${JSON.stringify(loads)}, '.');
    if (!fs.existsSync(${JSON.stringify(good)})) throw new Error('out of memory');
    require(${real});`,
  );
  let ms = 0;
  const told: string[] = [];
  const source = folderSource({
    folder,
    script: pathToFileURL(script),
    broken: ({ message }) => told.push(message),
    now: () => ms,
  });
  ends.push(() => source.close());
  const loadsAt = async (time: number): Promise<number> => {
    ms = time;
    await source.look(signal);
    return fs.statSync(loads).size;
  };
  const second = modelRetryMs + 2 * modelRetryMs;
  const tried = [0, modelRetryMs - 1, modelRetryMs, second - 1, second];
  const counts: number[] = [];
  for (const time of tried) counts.push(await loadsAt(time));
  expect(counts).toEqual([1, 1, 2, 2, 3]);
  expect(told).toEqual([expect.stringContaining('out of memory')]);
  fs.writeFileSync(good, '');
  ms = second + modelRetryMsMax;
  const embedder = await found(source);
  expect(await embedder.embed(['redis'], signal)).toEqual([Float32Array.of(0, 1, 0)]);
  ms += modelRetryMsMax;
  expect(await source.look(signal)).toBe(embedder);
});

test('files that are at fault are not loaded again before they change', async () => {
  const { folder, remove } = newFolder({ 'model.safetensors': 'half a file' });
  ends.push(remove);
  let ms = 0;
  const source = folderSource({ folder, script: worker.script, broken: () => {}, now: () => ms });
  ends.push(() => source.close());
  expect(await source.look(signal)).toBeNull();
  ms += 2 * modelRetryMsMax;
  const looked = source.look(signal);
  // Nothing was begun: it is settled already.
  expect(await Promise.race([looked, Promise.resolve('still loading')])).toBeNull();
});

test('a question whose asker gives up, or whose thread is closed, is let go', async () => {
  const { source } = opened();
  const embedder = await found(source);
  await expect(embedder.embed(['a'], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  const asked = embedder.embed(['redis'], signal);
  const settled = expect(asked).rejects.toThrow('the embedding model was closed');
  await source.close();
  await settled;
  await expect(embedder.embed(['redis'], signal)).rejects.toThrow('closed');
  expect(await source.look(signal)).toBe(embedder);
});

test('an idle thread ends, and the next question starts it anew', async () => {
  const { folder } = opened();
  const thread = new ModelThread({ folder, script: worker.script, idleMs: 1 });
  ends.push(() => thread.close());
  const { version } = await thread.load();
  expect(await thread.embed(['redis'], version, signal)).toEqual(Float32Array.of(0, 1, 0));
  await thread.ended();
  expect(thread.isRunning).toBe(false);
  expect(await thread.embed(['cache'], version, signal)).toEqual(Float32Array.of(1, 0, 0));
});
