import type { JsonObject } from '#core/event';

const minuteMs = 60_000;
/** An ISO time. */
export const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * minuteMs).toISOString();

/** When the work below began: more than a day ago, alone on its day. */
export const workBegan = minutesAgo(60 * 26);

/** A little work: a test that fails, the edit that fixes it, the test that passes. */
export const work: readonly JsonObject[] = [
  {
    tool: 'Read',
    input: { file_path: 'src/tide.ts' },
    output: 'export const highWater = 3;\n',
    toolUseId: 'w1',
    sessionId: 'harbour-session-one',
    ts: workBegan,
  },
  {
    tool: 'Bash',
    input: { command: 'npm test', description: 'Run the tests' },
    output: { stdout: '', stderr: 'AssertionError: expected 3 to be 4', exitCode: 1 },
    isError: true,
    toolUseId: 'w2',
    sessionId: 'harbour-session-two',
    ts: minutesAgo(30),
  },
  {
    tool: 'Edit',
    input: { file_path: 'src/tide.ts', old_string: 'highWater = 3', new_string: 'highWater = 4' },
    output: 'ok',
    toolUseId: 'w3',
    sessionId: 'harbour-session-two',
    ts: minutesAgo(20),
  },
  {
    tool: 'Bash',
    input: { command: 'npm test', description: 'Run the tests' },
    output: { stdout: '12 passed', stderr: '', exitCode: 0 },
    toolUseId: 'w4',
    sessionId: 'harbour-session-two',
    ts: minutesAgo(10),
  },
];

/** `count` calls a minute apart, the last one now. */
export function many(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, at) => ({
    tool: 'Read',
    input: { file_path: `src/part-${at}.ts` },
    output: `the text of part ${at}`,
    toolUseId: `many-${at}`,
    sessionId: 'many',
    ts: minutesAgo(count - at),
  }));
}
