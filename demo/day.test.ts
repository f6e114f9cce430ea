import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adapt } from '#capture/clients';
import type { Json, MemoryKind, Observation } from '#core/event';
import { deterministicEmbedder } from '#memory/embed';
import { Searcher } from '#query/search';
import { draftSummary } from '../src/memory/summarise/builtin/index.ts';
import { TestMemories } from '../test/support/search/memories.ts';

const lines = readFileSync(new URL('day.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const receivedAt = '2030-01-01T00:00:00.000Z';
const secretPlaceholder = '{{made-up key}}';

function observed(line: string): Observation {
  const payload: Json = JSON.parse(line);
  const adapted = adapt(payload, { receivedAt, cwd: null });
  if (adapted.kind === 'observation') return adapted.observation;
  throw new Error(`ignored: ${adapted.reason}`);
}

describe('the sample day', () => {
  const day = lines.map(observed);

  const calls = day.filter(({ message }) => message === undefined);

  it('is a day of calls and messages of three sessions, each in the form of Claude Code', () => {
    expect(calls.length).toBeGreaterThanOrEqual(60);
    expect(day.length - calls.length).toBe(14);
    expect(new Set(day.map((call) => call.sessionId)).size).toBe(3);
    expect(new Set(day.map((call) => call.client))).toEqual(new Set(['claude-code']));
    expect(new Set(calls.map((call) => call.toolUseId)).size).toBe(calls.length);
    expect(day.every((call) => call.output !== undefined && call.cwd === '/home/mira/harbour')).toBe(true);
  });

  it('is in the order of its own times, within one day', () => {
    const times = day.map((call) => call.ts);
    expect(times).not.toContain(receivedAt);
    expect(times.toSorted()).toEqual(times);
    expect(Date.parse(times.at(-1) ?? '') - Date.parse(times[0] ?? '')).toBeLessThan(24 * 3_600_000);
  });

  it('has failures and successes, and the kinds of tools that a day has', () => {
    const failed = calls.filter((call) => call.isError);
    expect(failed.length).toBeGreaterThanOrEqual(5);
    expect(failed.length).toBeLessThan(day.length / 4);
    const tools = new Set(day.map((call) => call.tool));
    for (const tool of ['Read', 'Edit', 'Write', 'Bash', 'Grep', 'Glob', 'WebSearch', 'TodoWrite', 'Agent']) {
      expect(tools).toContain(tool);
    }
  });

  it('holds places for a key, and no key', () => {
    expect(lines.filter((line) => line.includes(secretPlaceholder)).length).toBe(3);
    for (const line of lines) {
      for (const [, value] of line.matchAll(/api[-_]?key[\s"'\\:=]+([^\s"'\\]+)/gi)) {
        expect(value?.startsWith('{{')).toBe(true);
      }
    }
  });
});

describe('the questions', () => {
  const asked: readonly { query: string; kind?: MemoryKind; answer: number }[] = JSON.parse(
    readFileSync(new URL('questions.json', import.meta.url), 'utf8'),
  );
  const embedder = deterministicEmbedder();
  const store = new TestMemories();
  const searcher = new Searcher({
    store: store.reads,
    embedder: { current: () => Promise.resolve(embedder), failed: () => {} },
    settings: { topK: 10, halfLifeDays: 30, decayFloor: 0.8, rrfK: 60 },
    now: () => Date.parse(receivedAt),
  });

  beforeAll(async () => {
    const memories = lines.map((line) => {
      const call = observed(line);
      const { text, terms } = draftSummary({ ...call });
      return { text, terms, ts: call.ts, tool: call.tool, session: call.sessionId, message: call.message };
    });
    await store.embed(embedder, store.add(memories));
  });
  afterAll(() => store.close());

  it.each(asked)('“$query” is answered first by call $answer', async ({ query, kind, answer }) => {
    const [first] = (await searcher.found({ query, ...(kind && { kinds: [kind] }) })).hits;
    expect(first?.id).toBe(answer);
  });
});
