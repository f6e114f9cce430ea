import { expect, test } from 'vitest';
import { type Config, defaultConfig } from '../../core/config/index.ts';
import { judge, type Seen } from './models.ts';

const ready = { probe: { state: 'ready' }, lacksModel: null, lacksEmbedModel: null } as const;
const away = {
  probe: { state: 'absent', error: 'fetch failed: connect ECONNREFUSED 127.0.0.1:11434' },
  lacksModel: null,
  lacksEmbedModel: null,
} as const;
const slow = { ...away, probe: { state: 'unwell', error: 'fetch failed: timeout after 2000 ms' } } as const;
const seen: Seen = { local: ready, hosted: null, hasKey: false, raw: 3, daemonHasKey: null };

/** The severities (or `-`, the check's own) and repairs of what is told. */
function told(settings: Partial<Config>, found: Partial<Seen>): string[] {
  return judge({ ...defaultConfig(), ...settings }, { ...seen, ...found }).map(
    ({ severity, repair }) => `${severity ?? '-'} ${repair}`,
  );
}

test('a local runtime with its models is well', () => {
  expect(told({}, {})).toEqual([]);
});

test('a model that it lacks is told with the command that fetches it', () => {
  const lacking = { ...ready, lacksModel: 'x', lacksEmbedModel: 'x' };
  expect(told({}, { local: lacking })).toEqual([
    '- run: ollama pull llama3.2:3b',
    '- run: ollama pull nomic-embed-text',
  ]);
});

test.each<[string, Partial<Config>, Partial<Seen>, RegExp[]]>([
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
])('a local runtime that is away, %s', (_what, settings, found, expected) => {
  const all = told(settings, { local: away, ...found });
  expect(all).toHaveLength(expected.length);
  for (const [at, pattern] of expected.entries()) expect(all[at]).toMatch(pattern);
});

test('one that is there and does not answer is no reason to turn to a paid one', () => {
  expect(told({ 'drain.fallback': 'builtin' }, { local: slow, hasKey: true })).toEqual([
    expect.stringMatching(/^error start it anew/),
  ]);
});

test('the paid one: without a key, away, and with a key that the daemon does not know', () => {
  const hosted = { 'drain.backend': 'hosted' } as const;
  expect(told(hosted, {})).toEqual([expect.stringMatching(/^error set it in the environment/)]);
  expect(told(hosted, { hasKey: true, hosted: 'fetch failed: x' })).toEqual([
    expect.stringMatching(/^- look at the network/),
  ]);
  expect(told(hosted, { hasKey: true, daemonHasKey: false })).toEqual(['- run: memd restart']);
});
