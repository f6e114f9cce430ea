import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adapt } from '../src/clients/index.ts';
import type { Json, Observation } from '../src/event/index.ts';

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

  it('is a day of calls of three sessions, each told as Claude Code tells it', () => {
    expect(day.length).toBeGreaterThanOrEqual(60);
    expect(new Set(day.map((call) => call.sessionId)).size).toBe(3);
    expect(new Set(day.map((call) => call.client))).toEqual(new Set(['claude-code']));
    expect(new Set(day.map((call) => call.toolUseId)).size).toBe(day.length);
    expect(day.every((call) => call.output !== undefined && call.cwd === '/home/mira/harbour')).toBe(true);
  });

  it('is in the order of its own times, within one day', () => {
    const times = day.map((call) => call.ts);
    expect(times).not.toContain(receivedAt);
    expect(times.toSorted()).toEqual(times);
    expect(Date.parse(times.at(-1) ?? '') - Date.parse(times[0] ?? '')).toBeLessThan(24 * 3_600_000);
  });

  it('has failures and successes, and the kinds of tools that a day has', () => {
    const failed = day.filter((call) => call.isError);
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
