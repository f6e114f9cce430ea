import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSessions, type TranscriptItem } from '#capture/clients';
import type { JsonObject, Observation } from '#core/event';

let home: string;
let sessions: string;
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-pi-')));
  sessions = path.join(home, '.pi/agent/sessions/--mill--');
  fs.mkdirSync(sessions, { recursive: true });
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const entry = (id: string, parentId: string | null, more: JsonObject): JsonObject => ({
  ...{ id, parentId, timestamp: '2026-05-04T03:02:09.000Z', type: 'message', ...more },
});
const said = (role: string, text: string, timestamp: number): JsonObject => ({
  message: { role, content: [{ type: 'text', text }], timestamp },
});
const call = (id: string): JsonObject => ({
  type: 'toolCall',
  id,
  name: 'bash',
  arguments: { command: `make ${id}` },
});

function write(name: string, more: JsonObject, entries: readonly JsonObject[]): string {
  const file = path.join(sessions, `2026_${name}.jsonl`);
  const head = {
    type: 'session',
    version: 3,
    id: name,
    timestamp: '2026-05-04T03:02:00.000Z',
    cwd: '/mill',
    ...more,
  };
  fs.writeFileSync(file, [head, ...entries].map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

async function readAll(env: Record<string, string> = {}) {
  const found = await findSessions({ root: '/mill', home, env, belongs: (cwd) => cwd === '/mill' }, 'pi');
  const observations: Observation[] = [];
  const take = (item: TranscriptItem): void => {
    if (item.kind === 'observation') observations.push(item.observation);
  };
  for (const one of found.transcripts) await one.read(take);
  return { names: found.transcripts.map(({ name }) => path.basename(name)), observations };
}

it('reads each branch of the tree, a reply in the turn of the prompt above it', async () => {
  write('s1', {}, [
    entry('a', null, said('user', 'Grind the rye.', 11)),
    entry('b', 'a', said('assistant', 'It is ground.', 12)),
    entry('c', 'b', said('user', 'And the wheat?', 13)),
    entry('d', 'a', said('assistant', 'It is ground twice.', 14)),
  ]);
  const { observations } = await readAll();
  expect(observations.map(({ output, message }) => [output, message?.turnId])).toEqual([
    ['Grind the rye.', '11'],
    ['It is ground.', '11'],
    ['And the wheat?', '13'],
    ['It is ground twice.', '11'],
  ]);
});

it('reads calls, what the user ran by hand, and summaries; a call without a result is unfinished', async () => {
  write('s1', {}, [
    entry('a', null, { message: { role: 'assistant', content: [call('c1'), call('c2')], timestamp: 11 } }),
    entry('b', 'a', {
      message: {
        ...{ role: 'toolResult', toolCallId: 'c1', toolName: 'bash', isError: true, timestamp: 12 },
        content: [{ type: 'text', text: 'no rule\n\nCommand exited with code 2' }],
      },
    }),
    entry('c', 'b', {
      message: { role: 'bashExecution', command: 'ls', output: 'flour', exitCode: 0, timestamp: 13 },
    }),
    entry('d', 'c', { type: 'compaction', summary: 'The rye was to be ground.' }),
    entry('e', 'd', { type: 'custom', data: {} }),
  ]);
  const { observations } = await readAll();
  expect(observations).toMatchObject([
    {
      tool: 'bash',
      toolUseId: 'c1',
      isError: true,
      input: { command: 'make c1' },
      sessionId: 's1',
      cwd: '/mill',
    },
    { tool: 'bash', toolUseId: 'c', isError: false, input: { command: 'ls' } },
    { toolUseId: 'd', output: 'The rye was to be ground.', message: { role: 'assistant' } },
    { toolUseId: 'c2', unfinished: true },
  ]);
});

it('leaves out a skill that a prompt names, but not what was typed with it', async () => {
  const skill = '<skill name="grind" location="/s">\nHow to grind.\n</skill>';
  write('s1', {}, [
    entry('a', null, said('user', skill, 11)),
    entry('b', 'a', said('user', `${skill}\n\nrye, please`, 12)),
  ]);
  expect((await readAll()).observations.map(({ output }) => output)).toEqual(['rye, please']);
});

it('names the session that a fork goes on from, and reads it first', async () => {
  const prompt = entry('a', null, said('user', 'Grind the rye.', 11));
  const first = write('s1', {}, [prompt]);
  write('s0', { parentSession: first }, [prompt, entry('b', 'a', said('user', 'Finer.', 12))]);
  const { names, observations } = await readAll();
  expect(names).toEqual(['2026_s1.jsonl', '2026_s0.jsonl']);
  expect(observations.map(({ sessionId, parent }) => [sessionId, parent])).toEqual([
    ['s1', undefined],
    ['s0', { session: 's1', kind: 'fork' }],
    ['s0', { session: 's1', kind: 'fork' }],
  ]);
});

it('looks where its variables say', async () => {
  write('s1', {}, [entry('a', null, said('user', 'Grind the rye.', 11))]);
  expect((await readAll({ PI_CODING_AGENT_DIR: '/nowhere' })).names).toEqual([]);
  expect((await readAll({ PI_CODING_AGENT_SESSION_DIR: sessions })).names).toEqual(['2026_s1.jsonl']);
});
