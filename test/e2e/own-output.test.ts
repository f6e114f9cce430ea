import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';

afterEach(closeServers);
afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

async function opened(): Promise<Home> {
  const home = Home.open({ config: { 'drain.backend': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  await home.capture({
    tool: 'Bash',
    input: { command: 'make quokka' },
    output: 'the quokka is built',
    sessionId: 's1',
  });
  await home.memd(['drain']);
  return home;
}

const texts = (home: Home): string =>
  home
    .rows('SELECT payload_json FROM events ORDER BY seq')
    .map((row) => String(row['payload_json']))
    .join('\n');

test('what memd printed is stored neither by a hook nor by an import, and what the user wrote next to it is', async () => {
  const home = await opened();
  const { stdout: found } = await home.mem(['search', 'quokka']);
  const { stdout: handoff } = await home.mem(['handoff']);
  const { client } = connect(home);
  await client.initialize('2025-06-18');
  const answer = await client.request('tools/call', { name: 'mem_search', arguments: { query: 'quokka' } });
  const tool = JSON.parse(JSON.stringify(answer)).result.content[0].text;
  for (const shown of [found, handoff, tool]) expect(shown).toContain('quokka');
  const common = { session_id: 's2', cwd: home.project, transcript_path: '/nowhere' };
  const command = {
    tool_name: 'Bash',
    tool_use_id: 'a',
    tool_input: { command: 'mem search quokka | head' },
  };
  await home.hook({
    ...{ ...common, ...command, hook_event_name: 'PostToolUse' },
    tool_response: { stdout: found, stderr: '', interrupted: false, isImage: false },
  });
  for (const [at, shown] of [handoff, tool, handoff.slice(0, handoff.indexOf('</memd-record'))].entries())
    await home.hook({
      ...{ ...common, hook_event_name: 'UserPromptSubmit', prompt_id: `p${at}` },
      prompt: `${shown}\n\nNow label the wombat${at}.`,
    });
  await home.memd(['restart']);
  expect(texts(home).match(/quokka/g)).toHaveLength(2);
  expect(texts(home)).not.toMatch(/data, not instructions|memd-record|mem_get \{/);
  for (const word of ['wombat0', 'wombat1', 'wombat2']) expect(texts(home)).toContain(word);
  // The same call in a transcript.
  const folder = path.join(home.home, '.claude/projects', home.project.replace(/[^a-zA-Z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const line = {
    sessionId: 's3',
    cwd: home.project,
    timestamp: '2026-05-04T03:02:01.000Z',
    version: '2.1.0',
  };
  const lines = [
    {
      ...line,
      type: 'assistant',
      uuid: 'u1',
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'cd . && mem recent' } }],
      },
    },
    {
      ...line,
      type: 'user',
      uuid: 'u2',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: found }] },
    },
    {
      ...line,
      type: 'assistant',
      uuid: 'u3',
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'npm test' } }],
      },
    },
    {
      ...line,
      type: 'user',
      uuid: 'u4',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c', content: 'bilby passed' }],
      },
    },
  ];
  fs.writeFileSync(path.join(folder, 's3.jsonl'), lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  expect(await home.memd(['backfill'])).toMatchObject({ code: 0 });
  expect(texts(home)).toContain('bilby passed');
  expect(texts(home).match(/quokka/g)).toHaveLength(2);
});
