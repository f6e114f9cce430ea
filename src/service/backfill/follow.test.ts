import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Json, ToolEvent } from '#core/event';
import { openStore, type Store, setTranscriptPosition, transcriptPosition } from '#memory/store';
import { followTranscript } from './follow.ts';

let folder: string;
let file: string;
let store: Store;
let batches: Json[][];
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-follow-')));
  file = path.join(folder, 'session.jsonl');
  store = openStore(path.join(folder, 'db.sqlite'));
  batches = [];
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

async function follow(name = file): Promise<void> {
  await followTranscript(
    { file: name, session: 's1', root: '/mill', home: folder, env: {} },
    {
      position: async (at) => transcriptPosition(store.settings, at),
      setPosition: async (at, position) => setTranscriptPosition(store.settings, at, position),
      store: async (events: readonly ToolEvent[]) => {
        batches.push(events.map(({ output }) => output));
        return store.events.insert(events);
      },
    },
  );
}

const stored = (): unknown[] =>
  store.connection
    .all("SELECT json_extract(payload_json, '$.output') AS said FROM events")
    .map(({ said }) => said);

const line = (payload: object): string =>
  `${JSON.stringify({ timestamp: '2026-05-04T03:02:01Z', ...payload })}\n`;
const meta = line({ type: 'session_meta', payload: { id: 's1', cwd: '/mill' } });
const turn = (id: string): string =>
  line({ type: 'event_msg', payload: { type: 'task_started', turn_id: id } });
const said = (role: string, text: string): string => {
  const type = role === 'user' ? 'input_text' : 'output_text';
  return line({ type: 'response_item', payload: { type: 'message', role, content: [{ type, text }] } });
};
const first = meta + turn('t1') + said('user', 'Grind the rye.') + said('assistant', 'I begin.');

it('stores what a growing transcript adds, and waits for the rest of its last line', async () => {
  const end = said('assistant', 'The rye is ground.');
  fs.writeFileSync(file, first + end.slice(0, 40));
  await follow();
  expect(stored()).toEqual(['Grind the rye.', 'I begin.']);
  fs.appendFileSync(file, end.slice(40));
  await follow();
  expect(stored()).toEqual(['Grind the rye.', 'I begin.', 'The rye is ground.']);
  await follow();
  expect(batches).toHaveLength(2);
  fs.appendFileSync(file, turn('t2') + said('user', 'Grind the rye.') + said('assistant', 'Again?'));
  await follow();
  fs.appendFileSync(file, said('assistant', 'Done.'));
  await follow();
  // Equal words in two turns are two messages; an earlier turn is not read again.
  expect(stored()).toEqual([
    'Grind the rye.',
    'I begin.',
    'The rye is ground.',
    'Grind the rye.',
    'Again?',
    'Done.',
  ]);
  expect(batches.at(-1)).toEqual(['Grind the rye.', 'Again?', 'Done.']);
});

it('reads a file that was cut or replaced from its beginning', async () => {
  fs.writeFileSync(file, first);
  await follow();
  fs.writeFileSync(file, meta + turn('t1') + said('user', 'Stop.'));
  await follow();
  fs.writeFileSync(path.join(folder, 'new'), first + said('assistant', 'It runs.') + ' '.repeat(1_000));
  fs.renameSync(path.join(folder, 'new'), file);
  await follow();
  expect(stored()).toEqual(['Grind the rye.', 'I begin.', 'Stop.', 'It runs.']);
});

it('takes only regular transcripts', async () => {
  const link = path.join(folder, 'link.jsonl');
  fs.writeFileSync(file, first);
  fs.symlinkSync(file, link);
  fs.mkdirSync(path.join(folder, 'folder.jsonl'));
  const none = [
    link,
    path.join(folder, 'folder.jsonl'),
    path.join(folder, 'gone.jsonl'),
    'session.jsonl',
    '/dev/null',
  ];
  for (const name of none) await follow(name);
  expect(stored()).toEqual([]);
});

it('leaves out what is of another session or project, whatever the hook names', async () => {
  fs.writeFileSync(file, first.replace('"id":"s1"', '"id":"s2"'));
  await follow();
  fs.writeFileSync(file, first.replace('"cwd":"/mill"', '"cwd":"/bakery"') + said('user', 'Bake it.'));
  await follow();
  expect(stored()).toEqual([]);
  fs.writeFileSync(file, first + said('user', 'Grind it twice.'));
  await follow();
  expect(stored()).toContain('Grind it twice.');
});

it.each([
  ['chats/session.jsonl', '.project_root', '/bakery\n', '/mill\n'],
  [
    'agent-transcripts/s1/s1.jsonl',
    '.workspace-trusted',
    '{"workspacePath":"/bakery"}',
    '{"workspacePath":"/mill"}',
  ],
])('leaves out %s of another project by the folder that %s names', async (name, owner, other, own) => {
  const transcript = path.join(folder, name);
  fs.mkdirSync(path.dirname(transcript), { recursive: true });
  fs.writeFileSync(transcript, first.replace('"cwd":"/mill"', '"cwd":""'));
  fs.writeFileSync(path.join(folder, owner), other);
  await follow(transcript);
  expect(stored()).toEqual([]);
  fs.writeFileSync(path.join(folder, owner), own);
  await follow(transcript);
  expect(stored()).toContain('Grind the rye.');
});

it('stores of the calls only those that were refused, which no hook reports, and not as failed', async () => {
  const where = { sessionId: 's1', cwd: '/mill', timestamp: '2026-05-04T03:02:01Z' };
  const use = (id: string): string =>
    line({
      ...where,
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `rm ${id}` } }] },
    });
  const result = (id: string, content: string, more = {}): string =>
    line({
      ...{ ...where, type: 'user', ...more },
      message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: true }] },
    });
  const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected";
  fs.writeFileSync(
    file,
    use('a') +
      result('a', 'no such file') +
      use('b') +
      result('b', refusal, { toolDenialKind: 'user-rejected' }),
  );
  await follow();
  await follow();
  const rows = store.connection.all(
    "SELECT is_error, tool_use_id AS id, payload_json ->> '$.refused' AS refused FROM events",
  );
  expect(rows).toEqual([{ is_error: 0, id: 'b', refused: 1 }]);
});
