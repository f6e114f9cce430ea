import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '#core/event';
import { type PayloadRow, shrunkPayload } from './retention-payload.ts';

const why = 'older than 365 days (retention.payloadDays)';
const columns = {
  ts: '2026-01-01T12:00:00.000Z',
  sessionId: 's1',
  tool: 'Bash',
  toolUseId: 'call_1',
  client: 'claude-code',
  isError: false,
};
const payload = (more: JsonObject): JsonObject => ({ ...columns, input: {}, output: '', cwd: '/p', ...more });
const rowOf = (json: string): PayloadRow => ({ ...columns, payloadJson: json });
const shrunk = (more: JsonObject): JsonObject | null =>
  parsed(shrunkPayload(rowOf(JSON.stringify(payload(more))), why));

function parsed(json: string | null): JsonObject | null {
  if (json === null) return null;
  const value: Json = JSON.parse(json);
  return isObject(value) ? value : null;
}

describe('shrunkPayload', () => {
  test('keeps who called what, when and where, and says what became of the output, and why', () => {
    const left = shrunk({
      input: { command: 'npm test' },
      output: { stdout: 'x'.repeat(5_000), exitCode: 0 },
    });
    expect(left).toEqual({
      ...columns,
      cwd: '/p',
      input: { command: 'npm test' },
      output: expect.stringMatching(
        /^<shrunk by retention: 5\d{3} characters, older than 365 days \(retention\.payloadDays\), digest [0-9a-f]{16}>$/,
      ),
    });
  });

  test('cuts long arguments behind their beginning, and leaves the short ones', () => {
    const left = shrunk({ input: { file_path: 'src/a.ts', content: `import ${'y'.repeat(9_000)}` } });
    expect(left?.input).toEqual({
      file_path: 'src/a.ts',
      content: expect.stringMatching(
        /^import y{497}\n\[\.\.\. 8503 characters cut by memd \(retention\), digest [0-9a-f]{16} \.\.\.\]$/,
      ),
    });
  });

  test('leaves what is short: there is nothing to win', () => {
    expect(shrunk({ input: { command: 'ls' }, output: 'a b c' })).toBeNull();
  });

  test('what was equal stays equal, and what was not does not become so', () => {
    const output = (end: string): Json => shrunk({ output: `${'x'.repeat(3_000)}${end}` })?.output ?? null;
    const input = (end: string): Json =>
      shrunk({ input: { content: `${'x'.repeat(3_000)}${end}` } })?.input ?? null;
    for (const of of [output, input]) {
      expect(of('a')).toEqual(of('a'));
      expect(of('a')).not.toEqual(of('b'));
    }
  });

  test('a torn payload becomes one of what its row says', () => {
    const left = parsed(shrunkPayload(rowOf(`{"tool":"Bash","output":"${'z'.repeat(4_000)}`), why));
    expect(left).toMatchObject({ ...columns, cwd: null, input: null });
    expect(left?.output).toMatch(/^<shrunk by retention: 4025 characters/);
  });

  test('never splits a surrogate pair', () => {
    const left = shrunk({ input: { content: `a${'😀'.repeat(2_000)}` } });
    // Half a pair would come back as another character.
    const text = JSON.stringify(left);
    expect(Buffer.from(text).toString()).toBe(text);
  });

  test('of any payload: valid JSON, bounded, and the same when it is shrunk again', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(400),
        (input, output, times) => {
          // Many, long and deep ones.
          const many = {
            list: Array.from({ length: times }, () => input),
            [`k${'k'.repeat(times * 20)}`]: 'v',
          };
          const first = shrunkPayload(
            rowOf(JSON.stringify({ ...columns, cwd: null, input: many, output })),
            why,
          );
          if (first === null) return;
          expect(first.length).toBeLessThan(8_000);
          expect(parsed(first)).toMatchObject(columns);
          expect(shrunkPayload(rowOf(first), 'the database was over 1 MiB')).toBeNull();
        },
      ),
    );
  });
});
