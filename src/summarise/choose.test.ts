import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closedPort, type ModelServer, startModelServer } from '../../test/model-server.ts';
import type { Backend } from './backend.ts';
import { withBreaker } from './breaker.ts';
import { builtinBackend } from './builtin/index.ts';
import { type ChoiceSettings, chooseBackend } from './choose.ts';
import { type Budget, hostedBackend } from './hosted.ts';
import { localBackend } from './local.ts';

const never = new AbortController().signal;
const plenty: Budget = { dailyTokens: 100_000, remaining: () => 100_000, spend: () => undefined };
const spent: Budget = { ...plenty, remaining: () => 0 };
let server: ModelServer;
let nobody: string;

beforeEach(async () => {
  server = await startModelServer();
  nobody = `http://127.0.0.1:${await closedPort()}`;
});
afterEach(() => server.close());

const local = (endpoint: string) => withBreaker(localBackend({ endpoint, model: 'llama3.2:3b' }));
const hosted = (endpoint: string, budget = plenty): Backend =>
  withBreaker(hostedBackend({ endpoint, model: 'm', apiKey: 'sk-ant-key-0123456789', budget }));

/** The name of the backend chosen, or the error. */
async function choice(settings: Partial<ChoiceSettings>, there: { local: string; hosted?: Backend }) {
  const backends = { local: local(there.local), hosted: there.hosted ?? null, builtin: builtinBackend() };
  const chosen = await chooseBackend({ backend: 'auto', fallback: 'none', ...settings }, backends, never);
  return 'backend' in chosen ? chosen.backend.name : chosen.error;
}

describe('auto', () => {
  test('the local runtime when it is there, even beside a key', async () => {
    expect(await choice({}, { local: server.url, hosted: hosted(server.url) })).toBe('local');
  });

  test('the hosted API when nobody is at the local address', async () => {
    expect(await choice({}, { local: nobody, hosted: hosted(server.url) })).toBe('hosted');
    expect(server.requests).toEqual([]);
  });

  test('never the hosted API for a local runtime that breaks off, whatever the fallback', async () => {
    server.fail('probe', { kind: 'reset' });
    const error = await choice({ fallback: 'builtin' }, { local: server.url, hosted: hosted(server.url) });
    expect(error).toMatch(/^fetch failed: /);
    expect(server.requestsTo('messages')).toEqual([]);
  });

  test('a runtime that takes longer than a quick look is waited for', async () => {
    server.fail('probe', { kind: 'hang' }, 1);
    expect(await choice({}, { local: server.url, hosted: hosted(server.url) })).toBe('local');
  });

  test('the builtin one when nothing is reachable and the fallback is set', async () => {
    expect(await choice({ fallback: 'builtin' }, { local: nobody })).toBe('builtin');
    expect(await choice({ fallback: 'builtin' }, { local: nobody, hosted: hosted(nobody) })).toBe('builtin');
    expect(await choice({ fallback: 'builtin' }, { local: nobody, hosted: hosted(server.url, spent) })).toBe(
      'builtin',
    );
  });

  test('none, with what to do', async () => {
    expect(await choice({}, { local: nobody })).toBe(
      `no drain backend available: start the local model runtime at ${nobody}, set HOSTEDLLM_API_KEY, ` +
        'or run `memd init` to use the builtin summariser (drain.fallback)',
    );
  });

  test('none, saying what is wrong with the hosted API', async () => {
    const error = await choice({}, { local: nobody, hosted: hosted(server.url, spent) });
    expect(error).toMatch(/^no drain backend available: .*hostedllm daily token budget of 100000 is used up/);
  });

  test('a runtime that comes up later is used from then on', async () => {
    expect(await choice({ fallback: 'builtin' }, { local: nobody })).toBe('builtin');
    const later = await startModelServer({ port: Number(new URL(nobody).port) });
    expect(await choice({ fallback: 'builtin' }, { local: nobody })).toBe('local');
    await later.close();
  });
});

describe('one by name', () => {
  test('local: itself or its own error, and no other', async () => {
    const there = { hosted: hosted(server.url) };
    expect(await choice({ backend: 'local' }, { local: server.url, ...there })).toBe('local');
    expect(await choice({ backend: 'local', fallback: 'builtin' }, { local: nobody, ...there })).toBe(
      `fetch failed: connect ECONNREFUSED ${new URL(nobody).host}`,
    );
  });

  test('hosted: itself, or why not', async () => {
    expect(await choice({ backend: 'hosted' }, { local: server.url, hosted: hosted(server.url) })).toBe(
      'hosted',
    );
    expect(await choice({ backend: 'hosted' }, { local: server.url })).toContain('HOSTEDLLM_API_KEY');
    expect(
      await choice(
        { backend: 'hosted', fallback: 'builtin' },
        { local: server.url, hosted: hosted(server.url, spent) },
      ),
    ).toMatch(/^hostedllm daily token budget/);
    expect(await choice({ backend: 'hosted' }, { local: server.url, hosted: hosted(nobody) })).toMatch(
      /^fetch failed: connect ECONNREFUSED/,
    );
  });

  test('builtin: nothing is asked of anybody', async () => {
    expect(await choice({ backend: 'builtin' }, { local: server.url, hosted: hosted(server.url) })).toBe(
      'builtin',
    );
    expect(server.requests).toEqual([]);
  });
});
