import { expect, test } from 'vitest';
import { type Config, defaultConfig } from '#core/config';
import { judge, type ModelFacts } from './models.ts';

const ready = { probe: { state: 'ready' }, lacksModel: null, lacksEmbedModel: null } as const;
const away = {
  probe: { state: 'absent', error: 'fetch failed: connect ECONNREFUSED 127.0.0.1:11434' },
  lacksModel: null,
  lacksEmbedModel: null,
} as const;
const slow = { ...away, probe: { state: 'unwell', error: 'fetch failed: timeout after 2000 ms' } } as const;
const facts: ModelFacts = { local: ready, hosted: null, hasKey: false, raw: 3, daemonHasKey: null };

/** The severities (`-`: that of the check) and repairs. */
function judged(settings: Partial<Config>, found: Partial<ModelFacts>): string[] {
  return judge({ ...defaultConfig(), ...settings }, { ...facts, ...found }).map(
    ({ severity, repair }) => `${severity ?? '-'} ${repair}`,
  );
}

test('a local runtime with its models is fine', () => {
  expect(judged({}, {})).toEqual([]);
});

test('a missing model is reported with the command that fetches it', () => {
  const lacking = { ...ready, lacksModel: 'x', lacksEmbedModel: 'x' };
  expect(judged({}, { local: lacking })).toEqual([
    '- run `ollama pull llama3.2:3b`',
    '- run `ollama pull nomic-embed-text`',
  ]);
});

test.each<[string, Partial<Config>, Partial<ModelFacts>, RegExp[]]>([
  ['and no other: an error while events wait', {}, {}, [/^error .*memd init/]],
  ['and no other: a note while none does', {}, { raw: 0 }, [/^note .*memd init/]],
  ['and builtin stands in: a note', { 'drain.fallback': 'builtin' }, {}, [/^note .*models\.md/]],
  ['and there is a key: nothing', {}, { hasKey: true, daemonHasKey: true }, []],
  [
    'and only local is wanted: an error',
    { 'drain.backend': 'local' },
    { hasKey: true },
    [/^error .*ollama serve/],
  ],
  ['and builtin is wanted: nothing', { 'drain.backend': 'builtin' }, {}, []],
])('no local runtime, %s', (_what, settings, found, expected) => {
  const all = judged(settings, { local: away, ...found });
  expect(all).toHaveLength(expected.length);
  for (const [at, pattern] of expected.entries()) expect(all[at]).toMatch(pattern);
});

test('a local runtime that hangs is no reason to use a paid model', () => {
  expect(judged({ 'drain.fallback': 'builtin' }, { local: slow, hasKey: true })).toEqual([
    expect.stringMatching(/^error restart the local runtime/),
  ]);
});

test('the hosted model: without a key, not reachable, with a key that the daemon lacks', () => {
  const hosted = { 'drain.backend': 'hosted' } as const;
  expect(judged(hosted, {})).toEqual([expect.stringMatching(/^error set it in the environment/)]);
  expect(judged(hosted, { hasKey: true, hosted: 'fetch failed: x' })).toEqual([
    expect.stringMatching(/^- check the network/),
  ]);
  expect(judged(hosted, { hasKey: true, daemonHasKey: false })).toEqual(['- run `memd restart`']);
});
