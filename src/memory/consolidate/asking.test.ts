import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '#core/config';
import type { Json } from '#core/event';
import { openStore, type Store } from '#memory/store';
import {
  closedPort,
  type ModelServer,
  type PromptEvent,
  startModelServer,
} from '../../../test/model-server.ts';
import { askBudgetShareMax } from './budget.ts';
import { Consolidator } from './consolidator.ts';

const paid = { HOSTEDLLM_API_KEY: 'test-key-that-nobody-may-see-0123456789' };
const never = new AbortController().signal;
const day = () => new Date().toISOString().slice(0, 10);
let folder: string;
let store: Store;
let server: ModelServer;
let nobody: string;
let reports: string[];
const opened: Consolidator[] = [];

const replaced = ({ id }: PromptEvent): Json => ({
  id,
  reason: 'The port stands otherwise now.',
  outdated: 'older',
  verdict: 'supersedes',
});

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-asking-'));
  store = openStore(path.join(folder, 'db.sqlite'));
  server = await startModelServer({ verdicts: (pairs) => pairs.map(replaced) });
  nobody = `http://127.0.0.1:${await closedPort()}`;
  reports = [];
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

function open(settings: object, env: Record<string, string> = {}): Consolidator {
  const file = path.join(folder, 'config.json');
  fs.writeFileSync(file, JSON.stringify({ localllm: { endpoint: nobody }, ...settings }), { mode: 0o600 });
  const { config } = loadConfig(file, env);
  const report = (message: string, fields: object) => reports.push(`${message} ${JSON.stringify(fields)}`);
  const one = new Consolidator({ store, config, env, report });
  opened.push(one);
  return one;
}

const local = (more: object = {}) => ({ localllm: { endpoint: server.url }, ...more });
const hosted = (more: object = {}) => ({ hostedllm: { endpoint: server.url }, ...more });

/** Reads of `count` files, each twice, with another thing in them each time. */
function capture(count: number, from = 0): void {
  const reads = Array.from({ length: 2 * count }, (_, at) => ({
    turn: Math.floor(at / count),
    file: at % count,
  }));
  store.events.insert(
    reads.map(({ turn, file }) => ({
      id: `ev_${from}_${turn}_${file}`,
      tool: 'Read',
      input: { file_path: `/p/config-${from + file}.json` },
      output: `{ "port": ${3_000 + turn} }`,
      sessionId: 's',
      toolUseId: `call_${from}_${turn}_${file}`,
      ts: new Date(Date.UTC(2026, 0, 1, from, turn, file)).toISOString(),
      client: 'generic',
      isError: false,
      cwd: '/p',
    })),
  );
}

/** `count` pairs that wait to be asked about, their summaries being a model's so that nothing is left to refine. */
async function waiting(count: number): Promise<void> {
  capture(count);
  await open({ drain: { backend: 'builtin' } }).drain(null, never);
  store.connection.run("UPDATE summaries SET model = 'm'");
  expect(countOf('doubts')).toBe(count);
}

const countOf = (table: string): number =>
  Number(store.connection.get(`SELECT count(*) AS n FROM ${table}`)?.n);
const questions = () =>
  [...server.requestsTo('chat'), ...server.requestsTo('messages')].filter(({ body }) =>
    JSON.stringify(body).includes('pairs of memories'),
  );

describe('a tick that finds nothing to summarise', () => {
  test('asks the local model about pairs, and counts what it used', async () => {
    await waiting(2);
    await open(local()).tick(never);
    const rows = store.connection.all('SELECT kind, evidence FROM edges');
    expect(rows).toEqual(
      Array(2).fill({
        kind: 'supersedes',
        evidence: expect.stringMatching(/^asked llama3\.2:3b: #\d+ .* otherwise now\.$/),
      }),
    );
    expect(store.usage.of(day())).toMatchObject([
      { backend: 'local', model: 'llama3.2:3b', calls: 1, inputTokens: 100, outputTokens: 20 },
    ]);
    await open(local()).tick(never);
    expect(questions()).toHaveLength(1);
  });

  test('says an outage once, marks nothing, and holds back no drain', async () => {
    await waiting(1);
    server.fail('chat', { kind: 'status', status: 400, message: 'no' });
    const daemon = open(local());
    for (let turn = 0; turn < 3; turn += 1) await daemon.tick(never);
    expect(reports).toEqual(['asking about pairs stopped by an outage {"error":"ollama API error: 400 no"}']);
    expect(questions()).toHaveLength(1);
    server.fail('chat', null);
    capture(1, 5);
    expect(await daemon.tick(never)).toEqual({ processed: 2 });
    expect(store.connection.all('SELECT attempts, verdict FROM doubts WHERE lease_until <> 0')).toEqual([]);
  });
});

test('nobody is asked while an event waits', async () => {
  await waiting(1);
  capture(1, 5);
  server.fail('chat', { kind: 'status', status: 403 }, 1);
  const daemon = open(local());
  await daemon.tick(never);
  await daemon.refine(null, never);
  expect(store.events.someRaw()).toBe(true);
  expect(questions()).toEqual([]);
});

test('memd drain asks no questions; --refine asks them', async () => {
  await waiting(1);
  const command = open(local());
  await command.drain(null, never);
  expect(questions()).toEqual([]);
  await command.refine(null, never);
  expect(questions()).toHaveLength(1);
  expect(countOf('edges')).toBe(1);
});

describe('the paid model', () => {
  test.each([
    ['auto', {}],
    ['hosted', { drain: { backend: 'hosted' } }],
  ])('is not asked unless the user says so, with drain.backend %s', async (_, more) => {
    await waiting(1);
    await open(hosted(more), paid).tick(never);
    expect(server.requests).toEqual([]);
  });

  test('is asked when curate.model is any, counted with its cost', async () => {
    await waiting(1);
    await open(hosted({ curate: { model: 'any' } }), paid).tick(never);
    expect(questions()).toHaveLength(1);
    expect(store.connection.get('SELECT evidence FROM edges')).toMatchObject({
      evidence: expect.stringMatching(/^asked claude-haiku-4-5: /),
    });
    expect(store.usage.of(day())).toMatchObject([
      { backend: 'hosted', calls: 1, inputTokens: 100, outputTokens: 20, costMicroUsd: 200 },
    ]);
  });

  test('is not asked when a local one runs and fails', async () => {
    await waiting(1);
    server.fail('chat', { kind: 'status', status: 500 });
    await open({ ...hosted(), ...local(), curate: { model: 'any' } }, paid).tick(never);
    expect(server.requestsTo('messages')).toEqual([]);
  });

  test('is not asked beyond its share of the day, even if other work used it', async () => {
    await waiting(1);
    const dailyTokenBudget = 100_000;
    const inputTokens = dailyTokenBudget * askBudgetShareMax;
    store.usage.add({
      day: day(),
      backend: 'hosted',
      model: 'm',
      calls: 1,
      inputTokens,
      outputTokens: 0,
    });
    const settings = { hostedllm: { endpoint: server.url, dailyTokenBudget }, curate: { model: 'any' } };
    const daemon = open(settings, paid);
    await daemon.tick(never);
    expect(questions()).toEqual([]);
    // New events have the rest.
    capture(1, 5);
    expect(await daemon.tick(never)).toEqual({ processed: 2 });
  });
});

describe('nobody is asked', () => {
  test.each<[string, object]>([
    ['when curate.model is off', { curate: { model: 'off' } }],
    ['when drain.backend is builtin', { drain: { backend: 'builtin' } }],
    ['when drain.backend is hosted and curate.model is not any', { drain: { backend: 'hosted' } }],
  ])('%s', async (_, more) => {
    await waiting(1);
    await open({ ...hosted(), ...local(more) }, paid).tick(never);
    expect(questions()).toEqual([]);
    expect(countOf('doubts')).toBe(1);
  });

  test('when the runtime has not the model, and that is no failure', async () => {
    await server.close();
    server = await startModelServer({ models: ['nomic-embed-text'] });
    await waiting(1);
    await open(local()).tick(never);
    expect(server.requestsTo('chat')).toEqual([]);
    expect(reports).toEqual([]);
  });
});

test('a drain that is asked for does not wait for a question that hangs', async () => {
  await waiting(1);
  server.fail('chat', { kind: 'hang' }, 1);
  const daemon = open(local());
  const ticking = daemon.tick(never);
  await server.arrived('chat');
  capture(1, 5);
  expect(await daemon.drain(null, never)).toEqual({ processed: 2 });
  expect(await ticking).toEqual({ processed: 0 });
  expect(reports).toEqual([]);
  await daemon.tick(never);
  expect(countOf('edges')).toBe(2);
});

test('closing ends a question that hangs, and marks nothing', async () => {
  await waiting(1);
  server.fail('chat', { kind: 'hang' });
  const daemon = open(local());
  const stop = new AbortController();
  const ticking = daemon.tick(stop.signal);
  await server.arrived('chat');
  stop.abort();
  await daemon.close();
  expect(store.connection.all('SELECT attempts, verdict, lease_until FROM doubts')).toEqual([
    { attempts: 0, verdict: null, lease_until: 0 },
  ]);
  await ticking;
});
