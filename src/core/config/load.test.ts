import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { normaliseEndpoint } from './keys.ts';
import { defaultConfig, loadConfig } from './load.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-config-'));
  file = path.join(folder, 'config.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function load(settings: unknown, env: Record<string, string> = {}) {
  fs.writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return loadConfig(file, env);
}

function refusal(settings: unknown, env: Record<string, string> = {}): string {
  try {
    load(settings, env);
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(?:bad_config|unknown_backend)$/) });
    return String(error);
  }
  throw new Error(`${JSON.stringify(settings)} was taken`);
}

describe('the defaults', () => {
  test('are the ones of the contract', () => {
    expect(defaultConfig()).toEqual({
      topK: 10,
      captureObservationBudgetMs: 250,
      captureSpool: true,
      'capture.messages': true,
      'localllm.endpoint': 'http://localhost:11434',
      'localllm.model': 'llama3.2:3b',
      'localllm.embedModel': 'nomic-embed-text',
      'hostedllm.endpoint': 'https://api.anthropic.com',
      'hostedllm.model': 'claude-haiku-4-5',
      'hostedllm.dailyTokenBudget': 200_000,
      'curate.model': 'local',
      'drain.backend': 'auto',
      'drain.fallback': 'none',
      'drain.tickMs': 30_000,
      'drain.batchSize': 16,
      'drain.attemptsMax': 3,
      'search.halfLifeDays': 30,
      'search.decayFloor': 0.8,
      'search.rrfK': 60,
      'http.port': 0,
      'inject.sessionStart': true,
      'inject.recall': 'off',
      'inject.tokenBudget': 600,
      'mcp.remember': true,
      'retention.payloadDays': 365,
      'retention.databaseMiB': 1_024,
      'sync.remote': '',
      'sync.encrypt': true,
      'sync.auto': false,
      'sync.share': 'all',
      'sync.trust': [],
      'sync.recipients': [],
      'sync.author': '',
      idleMinutes: 720,
    });
  });

  test('hold without a file, and with an empty object', () => {
    expect(loadConfig(file, {})).toEqual({ config: defaultConfig(), warnings: [] });
    expect(load({})).toEqual({ config: defaultConfig(), warnings: [] });
  });
});

describe('a file', () => {
  test('may nest its keys, dot them, or both', () => {
    const { config, warnings } = load({
      drain: { batchSize: 4 },
      'drain.tickMs': 500,
      topK: 3,
      idleMinutes: 0,
    });
    expect(config).toMatchObject({ 'drain.batchSize': 4, 'drain.tickMs': 500, topK: 3, idleMinutes: 0 });
    expect(config['drain.attemptsMax']).toBe(3);
    expect(warnings).toEqual([]);
  });

  test('with an unknown key is accepted, with a warning that names the nearest key', () => {
    const { config, warnings } = load({ topk: 5, drain: { batchsize: 2 }, weather: 'fine', __proto__x: 1 });
    expect(config).toEqual(defaultConfig());
    expect(warnings[0]).toContain('unknown key "topk" is ignored; did you mean "topK"?');
    expect(warnings[1]).toContain(
      'unknown key "drain.batchsize" is ignored; did you mean "drain.batchSize"?',
    );
    expect(warnings[2]).toMatch(/unknown key "weather" is ignored$/);
  });

  test('with a key named like a part of JavaScript harms nothing', () => {
    const { config, warnings } = load('{"__proto__": {"topK": 1}, "constructor": 1, "hasOwnProperty": 2}');
    expect(config).toEqual(defaultConfig());
    expect(warnings).toHaveLength(3);
  });

  test.each([
    [{ topK: '10' }, 'topK must be a whole number from 1 to 200, not "10"'],
    [{ topK: 0 }, 'topK must be'],
    [{ topK: 201 }, 'topK must be'],
    [{ topK: 1.5 }, 'topK must be'],
    [{ topK: null }, 'topK must be'],
    [{ captureSpool: 'yes' }, 'captureSpool must be true or false'],
    [{ drain: { backend: 'magic' } }, 'drain.backend must be one of "auto", "local", "hosted", "builtin"'],
    [{ drain: { fallback: 'local' } }, 'drain.fallback must be one of "none", "builtin"'],
    [{ search: { decayFloor: 2 } }, 'search.decayFloor must be a number from 0 to 1'],
    [{ localllm: { model: ' ' } }, 'localllm.model must be a text that is not empty'],
    [{ localllm: { endpoint: 'ftp://x' } }, 'localllm.endpoint must be an http or https address'],
  ])('with a wrong value stops the start: %j', (settings, words) => {
    const message = refusal(settings);
    expect(message).toContain(`${file}: ${words}`);
    expect(message).toContain('remove it to use');
  });

  test.each(['{"topK": 5,}', '// no\n{}', '{"topK": 5', '', '[]', '"x"', 'null'])(
    'that is no JSON object stops the start: %j',
    (text) => {
      expect(refusal(text)).toContain(file);
    },
  );

  test('that is not JSON is refused with the line where the parser knows it', () => {
    expect(refusal('{\n  "topK": 5\n  "x": 1\n}')).toMatch(/not valid JSON in line 3/);
  });
});

describe('a secret', () => {
  const key = ['sk', 'ant', 'api03', 'Zq8Lm3Vt0Rw7Yx2K'].join('-');

  test.each([
    { hostedllm: { apiKey: key } },
    { hostedllm: { apiKey: 'short' } },
    { 'hostedllm.model': key },
    { anything: key },
    { list: [1, [key]] },
    { topK: [key] },
    { [key]: true },
    { authToken: 'abc' },
    { x: `${'A1b2C3d4'.repeat(5)}` },
  ])('in the file stops the start and is not shown (%#)', (settings) => {
    const message = refusal(settings);
    expect(message).toMatch(/looks like an API key|must be/);
    expect(message).not.toContain(key);
    expect(message).not.toContain('A1b2C3d4');
  });

  test('in broken JSON is not shown', () => {
    for (const text of [`{"a": ${key}}`, `{"a": "${key}" "b": 1}`, key, `{"a": "${key}`]) {
      expect(refusal(text)).not.toContain('Zq8Lm3');
      expect(refusal(text)).not.toContain(key.slice(0, 10));
    }
  });

  test('in an address is not shown', () => {
    expect(refusal({ localllm: { endpoint: 'ftp://me:hunter22@host' } })).not.toContain('hunter22');
    expect(refusal({}, { LOCALLLM_HOST: 'ftp://me:hunter22@host' })).not.toContain('hunter22');
  });
});

test('what an earlier version had is a warning; a key in its place is refused', () => {
  const modelPath = '/home/someone/models/potion-retrieval-32M';
  const { config, warnings } = load({ embed: { modelPath }, inject: { recall: 'all' } });
  expect(config['inject.recall']).toBe('failures');
  expect(warnings).toEqual([
    expect.stringMatching(/embed\.modelPath is ignored.*localllm\.embedModel/),
    expect.stringMatching(/inject\.recall: "all" is now "failures"/),
  ]);
  for (const key of [
    `/${['sk', 'ant', 'api03', 'abcdefghij'].join('-')}`,
    'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7',
  ]) {
    expect(refusal({ embed: { modelPath: key } })).toContain('looks like an API key');
  }
});

describe('the environment', () => {
  test('goes before the file', () => {
    const file = { localllm: { endpoint: 'http://a:1' }, drain: { backend: 'local' } };
    const { config } = load(file, { LOCALLLM_HOST: 'b', MEMD_DRAIN_BACKEND: 'builtin' });
    expect(config).toMatchObject({ 'localllm.endpoint': 'http://b:11434', 'drain.backend': 'builtin' });
    expect(load(file, { LOCALLLM_HOST: '', MEMD_DRAIN_BACKEND: '' }).config).toMatchObject({
      'localllm.endpoint': 'http://a:1',
      'drain.backend': 'local',
    });
  });

  test('says who is asked about pairs; what costs money never is by default', () => {
    expect(load({}).config['curate.model']).toBe('local');
    expect(load({ curate: { model: 'any' } }, { MEMD_CURATE_MODEL: 'off' }).config['curate.model']).toBe(
      'off',
    );
    expect(refusal({}, { MEMD_CURATE_MODEL: 'hosted' })).toContain(
      'MEMD_CURATE_MODEL: curate.model must be one of',
    );
  });

  test('with an unknown backend stops the start', () => {
    expect(refusal({}, { MEMD_DRAIN_BACKEND: 'gpt' })).toContain(
      'MEMD_DRAIN_BACKEND: drain.backend must be one of',
    );
  });
});

describe('endpoints', () => {
  test.each([
    ['localhost', 'http://localhost:11434'],
    ['127.0.0.1:11435', 'http://127.0.0.1:11435'],
    ['models.lan', 'http://models.lan:11434'],
    ['models.lan:80', 'http://models.lan'],
    ['[::1]:9', 'http://[::1]:9'],
    [':9', 'http://localhost:9'],
    ['http://host', 'http://host'],
    ['https://host/base/', 'https://host/base'],
    ['HTTPS://Host:8443//', 'https://host:8443'],
    ['  host:1  ', 'http://host:1'],
  ])('%s is %s', (given, address) => {
    expect(normaliseEndpoint(given)).toBe(address);
    expect(load({ localllm: { endpoint: given } }).config['localllm.endpoint']).toBe(address);
  });

  test.each(['', ' ', 'a b', 'ftp://x', 'http://', 'host:port'])('%j is none', (given) => {
    expect(normaliseEndpoint(given)).toBeNull();
  });

  test('the hosted one needs its scheme: a key must not go unencrypted by a guess', () => {
    expect(refusal({ hostedllm: { endpoint: 'api.example.com' } })).toContain('begins with https://');
    expect(load({ hostedllm: { endpoint: 'https://api.example.com/' } }).config['hostedllm.endpoint']).toBe(
      'https://api.example.com',
    );
  });
});
