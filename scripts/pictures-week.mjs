// For the pictures: the weeks before the demonstration's day, in the same invented project.
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const ran = (command, description, stdout, exitCode = 0) => ({
  tool: 'Bash',
  input: { command, description },
  output: { stdout, stderr: '', exitCode },
  isError: exitCode !== 0,
});
const read = (file_path, output) => ({ tool: 'Read', input: { file_path }, output });
const edited = (file_path, old_string, new_string) => ({
  tool: 'Edit',
  input: { file_path, old_string, new_string },
  output: 'The file has been updated.',
});
const wrote = (file_path, content) => ({
  tool: 'Write',
  input: { file_path, content },
  output: 'The file has been created.',
});
const grepped = (pattern, content) => ({
  tool: 'Grep',
  input: { pattern, output_mode: 'content' },
  output: content,
});

const tideTest = 'npx vitest run test/tides/fetch.test.ts';
const tidePassed = ' Test Files  1 passed (1)\n      Tests  6 passed (6)\n   Duration  2.31s';
const tideFailed = ' Test Files  1 failed (1)\n      Tests  1 failed | 5 passed (6)\n   Duration  7.02s';

/** Sessions, each a few calls a few minutes apart; the first began `daysAgo` days and `hours` hours before the end. */
const sessions = [
  {
    id: '9f27c0aa-61d4-4b0e-8a55-0c1de2b7f001',
    daysAgo: 24,
    hours: 3,
    calls: [
      grepped(
        'tides',
        'src/tides/fetch.ts:9:export async function fetchTides(port: string): Promise<TideTable>',
      ),
      read(
        'src/tides/fetch.ts',
        'const timeoutMs = 30_000;\nexport async function fetchTides(port: string) {}\n',
      ),
      ran(
        'curl -sw "%{time_total}" tides.example/oslo',
        'How slow is the tide service',
        '{"table":[]} 11.84',
      ),
      edited(
        'src/tides/fetch.ts',
        'const timeoutMs = 30_000;',
        '// The tide service answers within 12 s or not at all (measured on 40 calls).\nconst timeoutMs = 15_000;',
      ),
      wrote(
        'docs/decisions/002-tide-table-cache.md',
        '# 002: Keep the last tide table\n\nThe tide service is away for minutes each night. We keep the last table of each port for two days and\nsay in the answer how old it is, rather than answer 503.\n',
      ),
      wrote(
        'src/tides/cache.ts',
        'const keepMs = 48 * 60 * 60 * 1000;\n\n/** The last table of each port. */\nexport class TideCache {\n  readonly #tables = new Map<string, Kept>();\n}\n',
      ),
      ran(tideTest, 'Run the tide tests', tidePassed),
      ran(
        'git commit -am "Keep the last tide table for two days"',
        'Commit',
        '[main 77c1d20] Keep the last tide table for two days\n 4 files changed, 96 insertions(+), 3 deletions(-)',
      ),
    ],
  },
  {
    id: '4be0d5c3-2f3a-4a61-9d0f-7f1f6ad0b902',
    daysAgo: 9,
    hours: 7,
    calls: [
      ran(
        'npm audit --omit dev',
        'Look for known holes',
        '1 high severity vulnerability: path-to-regexp <0.1.12',
      ),
      ran('npm update express', 'Take the fixed version', 'changed 3 packages'),
      ran('npm test', 'Run everything', ' Test Files  21 passed (21)\n      Tests  109 passed (109)'),
      ran(
        'git commit -am "Update express: path-to-regexp"',
        'Commit',
        '[main 0a9be41] Update express: path-to-regexp',
      ),
    ],
  },
  {
    id: 'c6a3f9de-8b1c-4f27-b7a2-9d3c04e5a103',
    daysAgo: 5,
    hours: 2,
    calls: [
      ran(tideTest, 'Run the tide tests', tideFailed, 1),
      read(
        'test/tides/fetch.test.ts',
        "it('keeps the last table when the service is away', async () => {\n  await fetchTides('oslo');\n});\n",
      ),
      ran(tideTest, 'Run the tide tests once more', tidePassed),
      grepped('setTimeout', 'src/tides/fetch.ts:31:  setTimeout(() => controller.abort(), timeoutMs);'),
      edited(
        'test/tides/fetch.test.ts',
        "await fetchTides('oslo');",
        "// Without a real clock: the test waited for the time-out of 15 s.\nvi.useFakeTimers();\nawait fetchTides('oslo');",
      ),
      ran(tideTest, 'Run the tide tests', tidePassed.replace('2.31', '0.42')),
      ran('git commit -am "Tide tests: no real clock"', 'Commit', '[main 5d0be77] Tide tests: no real clock'),
    ],
  },
  {
    id: 'e1d7b8f4-5c22-4f8e-a1c9-62f0a7c3d204',
    daysAgo: 2,
    hours: 5,
    calls: [
      {
        tool: 'WebSearch',
        input: { query: 'fastify rate limit per berth' },
        output: 'Two plugins; one keeps its counts in memory.',
      },
      edited('src/server.ts', 'max: 100,', "max: 40, // a berth's display asks every 3 s\n"),
      ran('npm test', 'Run everything', ' Test Files  22 passed (22)\n      Tests  117 passed (117)'),
      ran('git push', 'Push', 'To git.example:harbour.git\n   5d0be77..b61f02a  main -> main'),
    ],
  },
];

/** The calls as the socket takes them, oldest first; the last day ends at `endsMs` (milliseconds since 1970). */
export function readWeek({ endsMs, root }) {
  return sessions.flatMap(({ id, daysAgo, hours, calls }) =>
    calls.map((call, at) => ({
      op: 'capture',
      ...JSON.parse(JSON.stringify(call).replaceAll('"file_path":"', `"file_path":"${root}/`)),
      client: 'claude-code',
      cwd: root,
      sessionId: id,
      toolUseId: `toolu_${id.slice(0, 8)}_${at}`,
      ts: new Date(endsMs - daysAgo * dayMs - hours * 60 * minuteMs + at * 4 * minuteMs).toISOString(),
    })),
  );
}
