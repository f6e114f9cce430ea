import { expect, test } from 'vitest';
import { startModelServer } from '../../../test/model-server.ts';
import { versionOfBuild } from './builds.ts';
import type { KeptSettings } from './kept-settings.ts';
import { findLocalEmbedder } from './local.ts';

const { signal } = new AbortController();
const passages = 'Represent this sentence for searching relevant passages: ';
const instruct =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';

function newSettings(): KeptSettings {
  const kept = new Map<string, string>();
  return { read: (name) => kept.get(name) ?? null, write: (name, value) => void kept.set(name, value) };
}

test.each([
  ['nomic-embed-text', 'search_query: ', 'search_document: '],
  ['nomic-embed-text-v2-moe:latest', 'search_query: ', 'search_document: '],
  ['hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0', 'search_query: ', 'search_document: '],
  ['embeddinggemma:300m', 'task: search result | query: ', 'title: none | text: '],
  ['qwen3-embedding:0.6b', instruct, ''],
  ['dengcao/Qwen3-Embedding-4B:Q4_K_M', instruct, ''],
  ['mxbai-embed-large:335m', passages, ''],
  ['snowflake-arctic-embed:137m', passages, ''],
  ['snowflake-arctic-embed2', 'query: ', ''],
  ['Definity/snowflake-arctic-embed-l-v2.0-q8_0', 'query: ', ''],
  ['snowflake-arctic-embed-m-v1.5', passages, ''],
  ['jeffh/intfloat-multilingual-e5-large:f16', 'query: ', 'passage: '],
  ['jeffh/intfloat-multilingual-e5-large-instruct', `${instruct} `, ''],
  ['e5-mistral-7b-instruct', `${instruct} `, ''],
  ['bge-large:335m', passages, ''],
  ['bge-small-en-v1.5', passages, ''],
  ['quentinz/bge-large-zh-v1.5', '为这个句子生成表示以用于检索相关文章：', ''],
  ['bge-m3', '', ''],
  ['all-minilm', '', ''],
])('%s gets the prefixes of its card', async (model, query, document) => {
  const server = await startModelServer({ models: [model] });
  try {
    const embedder = await findLocalEmbedder({ endpoint: server.url, model }, newSettings(), signal);
    await embedder?.embed(['redis'], signal, 'query');
    await embedder?.embed(['redis', 'jest'], signal);
    expect(server.requestsTo('embed').map(({ body }) => body)).toMatchObject([
      { input: [`${document}probe`] },
      { input: [`${query}redis`] },
      { input: [`${document}redis`, `${document}jest`] },
    ]);
  } finally {
    await server.close();
  }
});

test('other texts of documents are another version, also where the runtime gives no digest', () => {
  const settings = newSettings();
  const build = { name: 'ollama:embeddinggemma', digest: null, texts: '' };
  expect(versionOfBuild(settings, build)).toBe(1);
  const now = { ...build, texts: 'title: none | text: ' };
  expect([versionOfBuild(settings, now), versionOfBuild(settings, now)]).toEqual([2, 2]);
  // The first digest says nothing about another build, a second one does.
  const digests = ['a', null, 'b', 'a'].map((digest) => versionOfBuild(settings, { ...now, digest }));
  expect(digests).toEqual([2, 2, 3, 4]);
});

test('what an earlier release kept stays valid where its texts do', () => {
  for (const [name, texts, version] of [
    ['ollama:nomic-embed-text', 'search_document: ', 3],
    ['ollama:bge-m3', '', 3],
    ['ollama:a/nomic-embed-text', 'search_document: ', 4],
  ] as const) {
    const settings = newSettings();
    settings.write('embedders.builds', JSON.stringify({ [name]: { digest: 'a', version: 3 } }));
    expect(versionOfBuild(settings, { name, digest: 'a', texts })).toBe(version);
  }
});
