import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '#core/config';
import { openStore, type Store } from '#memory/store';
import { closedPort, type ModelServer, startModelServer } from '../../../test/model-server.ts';
import { slowTest } from '../../../test/support/slow.ts';
import { Consolidator, refineRowsPerTickMax } from './consolidator.ts';

const key = 'test-key-that-nobody-may-see-0123456789';
const never = new AbortController().signal;
const day = () => new Date().toISOString().slice(0, 10);
let folder: string;
let store: Store;
let server: ModelServer;
let nobody: string;
let reports: string[];
const opened: Consolidator[] = [];

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-consolidate-'));
  store = openStore(path.join(folder, 'db.sqlite'));
  server = await startModelServer();
  nobody = `http://127.0.0.1:${await closedPort()}`;
  reports = [];
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

/** One with these settings; `env` may hold the key. */
function open(settings: object, env: Record<string, string> = {}): Consolidator {
  const file = path.join(folder, 'config.json');
  fs.writeFileSync(file, JSON.stringify({ localllm: { endpoint: nobody }, ...settings }), { mode: 0o600 });
  const { config } = loadConfig(file, env);
  const report = (message: string, fields: object) => reports.push(`${message} ${JSON.stringify(fields)}`);
  const one = new Consolidator({ store, config, env, report });
  opened.push(one);
  return one;
}

function fill(count: number, from = 0): void {
  store.events.insert(
    Array.from({ length: count }, (_, at) => ({
      id: `ev_${from + at}`,
      tool: 'Bash',
      input: { command: `make target-${from + at}` },
      output: 'ok',
      sessionId: 's',
      toolUseId: `c${from + at}`,
      ts: new Date(Date.UTC(2026, 0, 1, 0, 0, from + at)).toISOString(),
      client: 'generic',
      isError: false,
      cwd: null,
    })),
  );
}

/** `count` events that the builtin summariser has summarised. */
async function summarised(count: number): Promise<void> {
  fill(count);
  await open({ drain: { backend: 'builtin' } }).drain(null, never);
}

const by = (model: string) =>
  Number(store.connection.get('SELECT count(*) AS n FROM summaries WHERE model = ?', model)?.n);
const local = () => ({ localllm: { endpoint: server.url }, drain: { fallback: 'builtin' } });
const hosted = (dailyTokenBudget: number, more: object = {}) => ({
  hostedllm: { endpoint: server.url, dailyTokenBudget },
  ...more,
});
const paid = { HOSTEDLLM_API_KEY: key };

describe('a tick', () => {
  test('refines a bounded number of builtin summaries, newest first, and embeds them again', async () => {
    await summarised(refineRowsPerTickMax + 3);
    const daemon = open(local());
    expect(await daemon.tick(never)).toEqual({ processed: 0 });
    expect([by('llama3.2:3b'), by('builtin')]).toEqual([refineRowsPerTickMax, 3]);
    expect(store.connection.all("SELECT id FROM summaries WHERE model = 'builtin' ORDER BY id")).toEqual(
      [1, 2, 3].map((id) => ({ id })),
    );
    const { summaries, embeddings } = store.stats.counts();
    expect(embeddings).toBe(summaries);
    await daemon.tick(never);
    expect(by('builtin')).toBe(0);
    const asked = server.requests.length;
    await daemon.tick(never);
    expect(server.requests).toHaveLength(asked);
  });

  test('does new events first, and does not refine while some wait', async () => {
    await summarised(2);
    fill(1, 2);
    server.fail('chat', { kind: 'status', status: 403 }, 1);
    const daemon = open(local());
    expect(await daemon.tick(never)).toMatchObject({ processed: 0, firstError: expect.any(String) });
    expect(server.requestsTo('chat')).toHaveLength(1);
    expect([by('builtin'), store.stats.counts().raw]).toEqual([2, 1]);
  });

  test('asks nobody when drain.backend is builtin', async () => {
    await summarised(1);
    await open({ localllm: { endpoint: server.url }, drain: { backend: 'builtin' } }).tick(never);
    expect(server.requestsTo('chat')).toEqual([]);
    expect(by('builtin')).toBe(1);
  });

  test('says an outage of refining once, and marks nothing', async () => {
    await summarised(2);
    server.fail('chat', { kind: 'status', status: 400, message: 'no' });
    const daemon = open(local());
    for (let turn = 0; turn < 3; turn += 1) await daemon.tick(never);
    expect(reports).toEqual([
      'refining stopped by an outage {"backend":"local","error":"ollama API error: 400 no"}',
    ]);
    expect(store.connection.all('SELECT DISTINCT attempts, last_error, lease_owner FROM events')).toEqual([
      { attempts: 0, last_error: null, lease_owner: null },
    ]);
  });
});

describe('refining with the paid model', () => {
  test('leaves half of the day to new events', async () => {
    await summarised(64);
    const daemon = open(hosted(3_000, { drain: { batchSize: 4 } }), paid);
    for (let turn = 0; turn < 5; turn += 1) await daemon.tick(never);
    const used = store.usage.of(day()).reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0);
    expect(by('claude-haiku-4-5')).toBeGreaterThan(0);
    expect(by('builtin')).toBeGreaterThan(0);
    expect(used).toBeLessThanOrEqual(1_500);
    // The reserved tokens are available for new events.
    fill(2, 100);
    expect(await daemon.tick(never)).toEqual({ processed: 2 });
  });

  test('does not begin when new events have used more than half', async () => {
    await summarised(4);
    const use = {
      day: day(),
      backend: 'hosted',
      model: 'm',
      calls: 1,
      inputTokens: 120_000,
      outputTokens: 0,
    };
    store.usage.add(use);
    const daemon = open(hosted(200_000, { drain: { fallback: 'builtin' } }), paid);
    await daemon.tick(never);
    expect(server.requests).toEqual([]);
    expect(await daemon.refine(null, never)).toEqual({
      processed: 0,
      firstError:
        'no better drain backend than builtin available: hostedllm daily token budget of 200000 is used up to refine with ' +
        '(100000 are kept for new events); it resets at 00:00 UTC (hostedllm.dailyTokenBudget)',
    });
  });

  test('is counted, with its cost at the published price', async () => {
    await summarised(3);
    const daemon = open(hosted(200_000), paid);
    expect(await daemon.refine(2, never)).toEqual({ processed: 2 });
    expect(store.usage.of(day())).toMatchObject([
      { backend: 'hosted', calls: 1, inputTokens: 100, outputTokens: 20, costMicroUsd: 200 },
    ]);
    expect(daemon.budget()).toEqual({ dailyTokens: 200_000, remainingTokens: 199_880 });
    expect(open({}).budget()).toBeNull();
  });

  test('a model whose price is not known costs tokens, and no money that was made up', async () => {
    fill(1);
    const model = 'claude-next-9';
    const daemon = open({ hostedllm: { endpoint: server.url, model } }, paid);
    expect(await daemon.drain(null, never)).toEqual({ processed: 1 });
    expect(store.usage.of(day())).toMatchObject([{ model, inputTokens: 100, costMicroUsd: 0 }]);
  });
});

describe('the state', () => {
  test('an outage shows its exact error and its repair until it ends', async () => {
    await server.close();
    server = await startModelServer({ apiKey: 'another-key' });
    fill(1);
    const daemon = open(hosted(200_000), paid);
    await daemon.drain(null, never);
    expect(await daemon.state(never)).toMatchObject({
      drain: 'hosted',
      drainError: 'hostedllm API error: 401',
      drainHint: expect.stringContaining('HOSTEDLLM_API_KEY'),
    });
    await open({ drain: { backend: 'builtin' } }).drain(null, never);
    expect(await daemon.state(never)).toMatchObject({ drain: 'hosted', drainError: null, drainHint: null });
  });

  test('a runtime without the model: the fallback works, info and the log say what to pull', async () => {
    await server.close();
    server = await startModelServer({ models: ['nomic-embed-text'] });
    fill(2);
    const daemon = open(local());
    expect(await daemon.drain(1, never)).toEqual({ processed: 1 });
    expect(await daemon.drain(1, never)).toEqual({ processed: 1 });
    const pull = expect.stringContaining('Run `ollama pull llama3.2:3b`.');
    expect(await daemon.state(never)).toMatchObject({ drain: 'builtin', drainError: null, drainHint: pull });
    expect(reports).toEqual([
      expect.stringMatching(/^another drain backend is used .*"builtin".*ollama pull/),
    ]);
    expect(server.requestsTo('chat')).toEqual([]);
  });
});

slowTest(
  'a caller goes before the background, in this process and in another, and hears how far it is',
  async () => {
    const one = open({ 'drain.backend': 'builtin' });
    fill(3_000);
    const background = one.tick(never);
    const steps: string[] = [];
    const caller = one.drain(null, never, ({ step, done, total }) => steps.push(`${step} ${done}/${total}`));
    const [first, second] = await Promise.all([background, caller]);
    expect(first.processed).toBeLessThan(3_000);
    expect(second.processed).toBe(3_000 - first.processed);
    expect(steps[0]).toBe('waiting 0/0');
    expect(steps).toContain(`summaries ${second.processed}/${second.processed}`);
    expect(new Set(steps.map((step) => step.split(' ')[0]))).toEqual(
      new Set(['waiting', 'summaries', 'vectors', 'links', 'digests']),
    );
    fill(1, 5_000);
    store.settings.set('drain.turn', `${process.ppid}-other ${Date.now() + 60_000}`);
    expect(await one.tick(never)).toEqual({ processed: 0 });
    store.settings.set('drain.turn', `${process.ppid}-other ${Date.now() - 1}`);
    expect(await one.tick(never)).toEqual({ processed: 1 });
  },
);

test('a stored event that cannot be read holds back no other one', async () => {
  fill(3);
  store.connection.run("UPDATE events SET payload_json = x'00' WHERE seq = 1");
  const daemon = open({ drain: { backend: 'builtin' } });
  expect(await daemon.tick(never)).toEqual({
    processed: 2,
    firstError: expect.stringMatching(/^event ev_0: malformed payload/),
  });
});
