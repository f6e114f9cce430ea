import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closedPort, type ModelServer, startModelServer } from '../../../test/model-server.ts';
import type { HostedBackend } from './backend.ts';
import { builtinBackend } from './builtin/index.ts';
import { type ChoiceSettings, chooseBackend, chooseBetter } from './choose.ts';
import { hostedBackend } from './hosted.ts';
import type { Budget } from './hosted-chat.ts';
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

const local = (endpoint: string) => localBackend({ endpoint, model: 'llama3.2:3b' });
const hosted = (endpoint: string, budget = plenty): HostedBackend =>
  hostedBackend({ endpoint, model: 'm', apiKey: 'sk-ant-key-0123456789', budget });

/** The name of the backend chosen, or the error. */
async function choice(settings: Partial<ChoiceSettings>, there: { local: string; hosted?: HostedBackend }) {
  const backends = { local: local(there.local), hosted: there.hosted ?? null, builtin: builtinBackend() };
  const chosen = await chooseBackend({ backend: 'auto', fallback: 'none', ...settings }, backends, never);
  return 'backend' in chosen ? chosen.backend.name : chosen.error;
}

describe('auto', () => {
  test('the local runtime when it runs, even with a key', async () => {
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

describe('auto with a local runtime that lacks the model', () => {
  const pull = 'ollama API error: 404 model "llama3.2:3b" not found. Run `ollama pull llama3.2:3b`.';

  beforeEach(async () => {
    await server.close();
    server = await startModelServer({ models: ['another:1b'] });
  });

  /** The name of the backend chosen, with its hint. */
  async function hinted(settings: Partial<ChoiceSettings>, paid: HostedBackend | null) {
    const backends = { local: local(server.url), hosted: paid, builtin: builtinBackend() };
    const chosen = await chooseBackend({ backend: 'auto', fallback: 'none', ...settings }, backends, never);
    return 'backend' in chosen ? [chosen.backend.name, chosen.hint] : chosen.error;
  }

  test('the fallback that the user chose, before what costs money, and what is missing', async () => {
    expect(await hinted({ fallback: 'builtin' }, null)).toEqual(['builtin', pull]);
    expect(await hinted({ fallback: 'builtin' }, hosted(server.url))).toEqual(['builtin', pull]);
  });

  test('without a fallback the hosted API that has a key, and what is missing', async () => {
    expect(await hinted({}, hosted(server.url))).toEqual(['hosted', pull]);
  });

  test('with neither the runtime itself says what is missing', async () => {
    expect(await hinted({}, null)).toBe(pull);
    expect(await hinted({}, hosted(nobody))).toBe(pull);
    expect(await hinted({ backend: 'local', fallback: 'builtin' }, hosted(server.url))).toBe(pull);
  });
});

test('a fallback for a hosted API gives the error of that API', async () => {
  const backends = { local: local(nobody), hosted: hosted(server.url, spent), builtin: builtinBackend() };
  expect(await chooseBackend({ backend: 'auto', fallback: 'builtin' }, backends, never)).toMatchObject({
    hint: expect.stringMatching(/^hostedllm daily token budget of 100000 is used up/),
  });
});

describe('one to refine with', () => {
  async function better(settings: Partial<ChoiceSettings>, there: { local: string; hosted?: HostedBackend }) {
    const backends = { local: local(there.local), hosted: there.hosted ?? null, builtin: builtinBackend() };
    const chosen = await chooseBetter({ backend: 'auto', fallback: 'builtin', ...settings }, backends, never);
    return 'backend' in chosen ? chosen.backend.name : chosen.error;
  }

  test('what a drain would use, when that is better than builtin', async () => {
    expect(await better({}, { local: server.url })).toBe('local');
    expect(await better({}, { local: nobody, hosted: hosted(server.url) })).toBe('hosted');
  });

  test('none, with what to do', async () => {
    const none = 'no better drain backend than builtin available: ';
    expect(await better({}, { local: nobody })).toBe(
      `${none}start the local model runtime at ${nobody}, or set HOSTEDLLM_API_KEY`,
    );
    expect(await better({}, { local: nobody, hosted: hosted(server.url, spent) })).toContain(
      `${none}hostedllm daily token budget of 100000 is used up`,
    );
    expect(await better({ fallback: 'none' }, { local: nobody })).toMatch(/^no drain backend available/);
  });

  test('none when drain.backend is builtin, and nobody is asked', async () => {
    expect(await better({ backend: 'builtin' }, { local: server.url })).toContain('drain.backend is builtin');
    expect(server.requests).toEqual([]);
  });

  test('the part of the budget that is kept for new events is said', async () => {
    const budget = { ...spent, keptBack: 50_000 };
    expect(await better({}, { local: nobody, hosted: hosted(server.url, budget) })).toContain(
      'is used up to refine with (50000 are kept for new events)',
    );
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
