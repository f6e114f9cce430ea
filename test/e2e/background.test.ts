import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { read } from '../../src/surfaces/cli/replies.ts';
import { closedPort, type ModelServer, type ModelServerSettings, startModelServer } from '../model-server.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';

const servers: ModelServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

async function modelServer(settings: ModelServerSettings = {}): Promise<ModelServer> {
  const server = await startModelServer(settings);
  servers.push(server);
  return server;
}

const quick = { drain: { tickMs: 50, fallback: 'builtin' } };
const call = (name: string) => ({
  tool: 'Read',
  input: { file_path: `src/${name}.ts` },
  output: `the text of ${name}`,
  toolUseId: name,
});

const modelOf = (home: Home, name: string) =>
  home.rows(
    'SELECT s.model FROM summaries s JOIN events e ON e.id = s.event_id WHERE e.tool_use_id = ?',
    name,
  )[0]?.model;
const embedders = (home: Home) =>
  home.rows('SELECT DISTINCT embedder FROM summary_embeddings').map(({ embedder }) => embedder);

/** The call id of the best hit, and what took part in finding it. */
async function best(home: Home, query: string) {
  const [hit] = read('search', await home.ask({ op: 'search', query })).hits;
  if (hit === undefined) return null;
  const { why } = read('why', await home.ask({ op: 'why', query, id: hit.id }));
  return { name: hit.toolUseId, explanation: why.explanation, vectorRank: why.vector.rank };
}

describe('the daemon by itself', () => {
  test('drains what is captured and makes its vectors', async () => {
    const home = Home.open({ config: quick });
    await home.start();
    await Promise.all(['a', 'b', 'c'].map((name) => home.capture(call(name))));
    await until('all summarised and embedded', async () => {
      const { summarized, embeddings } = (await home.info()).counts;
      return summarized === 3 && embeddings === 3;
    });
  });

  test('without a backend it waits: the rows stay raw, and info and the log say why', async () => {
    const home = Home.open({ config: { drain: { tickMs: 50 } } });
    await home.start();
    await home.capture(call('a'));
    await until('the reason in the log', () =>
      home.daemonLog().some(({ error }) => error.startsWith('no drain backend available')),
    );
    expect((await home.info()).counts).toMatchObject({ raw: 1, skipped: 0 });
    const { drain, drainError } = (await home.info()).backends;
    expect([drain, drainError]).toEqual(['none', expect.stringMatching(/^no drain backend available/)]);
  });

  test('DELETE FROM summary_embeddings: they are made again', async () => {
    const home = Home.open({ config: quick });
    await home.start();
    await Promise.all(['a', 'b', 'c'].map((name) => home.capture(call(name))));
    const embedded = async () => (await home.info()).counts.embeddings === 3;
    await until('three vectors', embedded);
    home.operate('DELETE FROM summary_embeddings');
    await until('three vectors again', embedded);
    expect((await best(home, 'the text of b'))?.vectorRank).not.toBeNull();
  });

  test("UPDATE events SET status = 'raw' with a running daemon is drained again", async () => {
    const home = Home.open({ config: quick });
    await home.start();
    await home.capture(call('a'));
    const settled = async () => (await home.info()).counts.summarized === 1;
    await until('the summary', settled);
    home.operate("UPDATE summaries SET text = 'worn out'; UPDATE events SET status = 'raw'");
    await until('the summary again', () => home.rows('SELECT text FROM summaries')[0]?.text !== 'worn out');
    await until('its status', settled);
    expect(home.rows('SELECT id FROM summaries')).toEqual([{ id: 1 }]);
  });
});

describe('models that come and go', () => {
  test('with the fallback in force, a local model that comes up later is used from then on, and refines what builtin wrote', async () => {
    const port = await closedPort();
    const home = Home.open({ config: quick, env: { LOCALLLM_HOST: `127.0.0.1:${port}` } });
    await home.start();
    await home.capture(call('early'));
    await until('the builtin summary', () => modelOf(home, 'early') === 'builtin');
    await modelServer({ port });
    await home.capture(call('later'));
    await until('the summary by the model', () => modelOf(home, 'later') === 'llama3.2:3b');
    await until('the first one refined', () => modelOf(home, 'early') === 'llama3.2:3b');
    expect(
      home.rows(
        "SELECT min(id) AS id FROM summaries WHERE event_id = (SELECT id FROM events WHERE tool_use_id = 'early')",
      ),
    ).toEqual([{ id: 1 }]);
  });

  test('a local model that goes away leaves no row behind: the fallback takes over', async () => {
    const server = await modelServer();
    const home = Home.open({ config: quick, env: { LOCALLLM_HOST: server.url } });
    await home.start();
    await home.capture(call('early'));
    await until('the summary by the model', () => modelOf(home, 'early') === 'llama3.2:3b');
    await server.close();
    await home.capture(call('later'));
    await until('the builtin summary', () => modelOf(home, 'later') === 'builtin');
    expect(home.rows('SELECT max(attempts) AS most FROM events')).toEqual([{ most: 0 }]);
  });

  test('the local model embeds; when another embedder is in force its vectors are stored next to the old ones, and search finds at any time', async () => {
    const server = await modelServer();
    const env = { LOCALLLM_HOST: server.url };
    const home = Home.open({ config: quick, env });
    await home.start();
    await Promise.all(['lighthouse', 'harbour', 'anchor'].map((name) => home.capture(call(name))));
    await until('three vectors', async () => (await home.info()).counts.embeddings === 3);
    expect(embedders(home)).toEqual(['ollama:nomic-embed-text']);
    expect(await best(home, 'src/harbour.ts')).toMatchObject({
      name: 'harbour',
      vectorRank: expect.any(Number),
    });

    await home.memd(['stop']);
    await server.close();
    await home.start();
    await home.capture(call('pier'));
    await until('a vector for the new one', async () => (await home.info()).counts.embeddings === 4);
    expect((await home.info()).backends.embedder).toBe('deterministic');
    expect(new Set(embedders(home))).toEqual(new Set(['deterministic', 'ollama:nomic-embed-text']));
    // The old are found by their words, and never compared with what is not of their kind.
    expect(await best(home, 'src/harbour.ts')).toMatchObject({ name: 'harbour', vectorRank: null });
    const found = await best(home, 'src/pier.ts');
    expect(found).toMatchObject({ name: 'pier', vectorRank: expect.any(Number) });
    expect(found?.explanation).toContain('by deterministic');

    home.operate("DELETE FROM summary_embeddings WHERE embedder <> 'deterministic'");
    await until('the deleted ones again', async () => (await home.info()).counts.embeddings === 4);
    expect(embedders(home)).toEqual(['deterministic']);
  });

  test('an embedder that fails after a while costs the vectors, not the search', async () => {
    const server = await modelServer();
    const home = Home.open({ config: quick, env: { LOCALLLM_HOST: server.url } });
    await home.start();
    await home.capture(call('lighthouse'));
    await until('its vector', async () => (await home.info()).counts.embeddings === 1);
    await server.close();
    expect((await best(home, 'src/lighthouse.ts'))?.name).toBe('lighthouse');
    await home.capture(call('harbour'));
    await until('a vector for the new one', async () => (await home.info()).counts.embeddings === 2);
    expect(new Set(embedders(home))).toEqual(new Set(['deterministic', 'ollama:nomic-embed-text']));
    expect((await best(home, 'src/lighthouse.ts'))?.name).toBe('lighthouse');
  });
});
