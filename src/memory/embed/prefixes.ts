import type { EmbeddingRole } from './embedder.ts';

export type Prefixes = Readonly<Record<EmbeddingRole, string>>;

/**
 * The prefixes that a model's card asks for. `model` is a name in the runtime's list: `embeddinggemma:300m`,
 * `jeffh/intfloat-multilingual-e5-large`.
 */
export function prefixesOf(model: string): Prefixes {
  const name = model.toLowerCase().replace(/^.*\//, '').replace(/:.*$/, '');
  const [, query = '', document = ''] = cards.find(([family]) => family.test(name)) ?? [];
  return { query, document };
}

const passages = 'Represent this sentence for searching relevant passages: ';
const instruct =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';

/** The first that fits a name. What is not here (bge-m3, all-minilm) takes texts as they are. */
const cards: readonly (readonly [family: RegExp, query: string, document?: string])[] = [
  [/^nomic-embed-text/, 'search_query: ', 'search_document: '],
  [/^embeddinggemma/, 'task: search result | query: ', 'title: none | text: '],
  [/^qwen3-embedding/, instruct],
  [/^mxbai-embed-large/, passages],
  [/^snowflake-arctic-embed(?:2|-[ml]-v2)/, 'query: '],
  [/^snowflake-arctic-embed/, passages],
  [/(?:^|-)e5-.*instruct/, `${instruct} `],
  [/(?:^|-)e5-/, 'query: ', 'passage: '],
  [/^bge-(?:small|base|large)-zh/, '为这个句子生成表示以用于检索相关文章：'],
  [/^bge-(?:small|base|large)/, passages],
];
