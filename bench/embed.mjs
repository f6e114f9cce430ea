// Texts a second of the deterministic embedder, and the time of a search in the vector index. One run on one thread; texts like
// the summaries of tool calls.
//   node bench/embed.mjs
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-embed-'));
try {
  await main();
} finally {
  fs.rmSync(folder, { recursive: true });
}

async function main() {
  console.log(`machine: ${os.cpus().length} cores, Node ${process.version}\n`);
  const texts = Array.from({ length: 4_000 }, (_, at) => summary(at));
  const chars = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  row('texts', `${texts.length} of ${chars.toFixed(0)} characters`);

  const { deterministicEmbedder, VectorIndex } = await load('src/memory/embed/index.ts', 'embed.mjs');
  const embedder = deterministicEmbedder();
  const [vectors, ms] = await timed(() => embedder.embed(texts, new AbortController().signal));
  row('deterministic', perSecond(texts.length, ms));

  const index = new VectorIndex(embedder.dim, embedder.neighbourhood);
  const copies = 5;
  for (let at = 0; at < copies * vectors.length; at++) {
    index.add(at + 1, vectors[at % vectors.length], `session ${Math.floor(at / 100)}`);
  }
  const [, prepareMs] = await timed(() => {
    while (index.prepareSome());
  });
  row('index, sessions', `${prepareMs.toFixed(0)} ms for ${index.size} vectors`);
  const [, searchMs] = await timed(() => vectors.slice(0, 50).map((vector) => index.topK(vector, 200)));
  row('index, a search', `${(searchMs / 50).toFixed(1)} ms among ${index.size}`);
}

/** A room as it would be built. */
async function load(entry, name) {
  const outfile = path.join(folder, name);
  await build({
    entryPoints: [path.join(root, entry)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Reached through a door, never used here.
    external: ['@photostructure/sqlite'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    outfile,
  });
  fs.writeFileSync(
    outfile,
    fs.readFileSync(outfile, 'utf8').replace(/^import .* from "@photostructure\/sqlite";$/m, ''),
  );
  return import(outfile);
}

/** `a` to `z`, `aa`, ...: a token for each number. */
function letters(number) {
  return (number >= 26 ? letters(Math.floor(number / 26) - 1) : '') + String.fromCharCode(97 + (number % 26));
}

function summary(at) {
  const part = (step) => letters(700 + ((at * 7919 + step * 104729) % 12000));
  const words = Array.from({ length: 40 }, (_, step) => part(step)).join(' ');
  return `Edited src/${part(41)}/${part(42)}-${part(43)}.ts: ${words}\n${part(44)}${part(45).toUpperCase()} error TS${at}`;
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

function perSecond(count, ms) {
  return `${Math.round((count / ms) * 1000)} texts/s`;
}

function row(name, value) {
  console.log(`${name.padEnd(20)}${value}`);
}
