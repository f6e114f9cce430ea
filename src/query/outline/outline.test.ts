import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { SessionAccounts } from '#memory/account';
import { openStore, type Store } from '#memory/store';
import { Standings, States } from '#query/state';
import { readCall } from '#reading/call';
import { subjectKey, subjectsOf } from '#reading/subjects';
import { gather, gatherHandoff, lookUp, printed, printedHandoff, recipeFor } from './index.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-outline-'));
  store = openStore(path.join(folder, 'db.sqlite'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

let clock = 0;
/** Work that is older than 30 days is not open. */
const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** Stores a call of a session as drain and curator leave it. Answers its memory's id. */
function remember(call: Partial<ToolEvent>, text: string): number {
  clock += 1;
  const event: ToolEvent = {
    ...{ id: `ev_${clock}`, toolUseId: `call_${clock}`, tool: 'Bash', input: {}, output: '', cwd: '/p' },
    ...{ sessionId: 's1', client: 'claude-code', isError: false },
    ts: new Date(Date.parse(`${day}T12:00:00.000Z`) + clock * 1_000).toISOString(),
    ...call,
  };
  store.events.insert([event]);
  const [row] = store.events.claim('tester', 0, 1, Date.now());
  if (row === undefined) throw new Error('nothing was claimed');
  store.summaries.finish('tester', [{ eventSeq: row.seq, text, terms: '', model: 'm' }]);
  const id = Number(store.connection.get('SELECT max(id) AS id FROM summaries')?.id);
  const subjects = subjectsOf(readCall({ ...event })).map((one) => ({
    key: subjectKey(one),
    outcome: one.outcome,
  }));
  store.subjects.save(id, [...new Map(subjects.map((one) => [one.key, one])).values()]);
  return id;
}

const ran = (command: string, isError: boolean): number =>
  remember(
    { input: { command }, output: isError ? 'Exit code 1\nfailed' : 'ok', isError },
    `Ran \`${command}\`: ${isError ? 'failed' : 'passed'}.`,
  );

/** In a folder of its own, without git. */
const asking = () => ({ states: new States(store, folder), standings: new Standings(folder) });

async function ask(source: string, session = 'new'): Promise<string> {
  const gathered = gather(store, new SessionAccounts(store), { session, source });
  return printed(gathered, { ...(await lookUp(gathered, asking(), { budgetMs: 5_000 })), tokenBudget: 600 })
    .text;
}

async function handoff(session: string): Promise<string> {
  const gathered = gatherHandoff(store, new SessionAccounts(store), session);
  return printedHandoff(gathered, 600, await lookUp(gathered, asking(), { budgetMs: 5_000 })).text;
}

test('an empty memory gives no outline', async () => expect(await ask('startup')).toBe(''));

const say = (role: 'user' | 'assistant', text: string, session = 's1') =>
  remember(
    {
      tool: role === 'user' ? 'Prompt' : 'Reply',
      output: text,
      sessionId: session,
      message: { role, turnId: null, agentId: null },
    },
    text,
  );

test('what failed is open until it passes; a file that was not there never is', async () => {
  const lint = ran('npm run lint', true);
  const tests = ran('npm test', true);
  remember(
    { tool: 'Read', input: { file_path: 'gone' }, output: 'not there', isError: true },
    'no such file',
  );
  expect(await ask('startup')).toMatch(new RegExp(`#${tests} .*\n#${lint} `));
  const passed = ran('npm test', false);
  const text = await ask('startup');
  expect(text).toContain(`#${lint} `);
  expect(text).not.toContain(`#${tests} `);
  expect(text).toMatch(new RegExp(`last passed.*\n#${passed} ${day} \`npm test\``));
  expect(text).not.toContain('no such file');
});

test('a failure is listed once, as its last run, and not after three sessions', async () => {
  const first = ran('npm test', true);
  const second = ran('npm test', true);
  expect(await ask('startup')).toContain(`#${second} `);
  expect(await ask('startup')).not.toContain(`#${first} `);
  for (const session of ['s2', 's3'])
    say('user', `Please turn the wheel of ${session} around once.`, session);
  expect(await ask('startup')).toContain(`#${second} `);
  say('user', 'Please turn the wheel of the fourth session.', 's4');
  expect(await ask('startup')).not.toContain('Failed');
});

test('what an agent runs in a session of its own passes and fails for the project', async () => {
  const run = (isError: boolean, sessionId: string): number =>
    remember(
      { input: { command: 'npm test' }, output: isError ? 'Exit code 1\nfailed' : 'ok', isError, sessionId },
      'npm test',
    );
  say('user', 'Please turn the wheel around once.');
  run(true, 's1');
  const message = { role: 'assistant', turnId: null, agentId: 'helper' } as const;
  remember({ tool: 'Reply', output: 'I turn the wheel.', sessionId: 'a1', message }, 'I turn the wheel.');
  const passed = run(false, 'a1');
  const text = await ask('startup');
  expect(text).toMatch(new RegExp(`last passed.*\n#${passed} ${day} \`npm test\``));
  expect(text).not.toContain('not passed since');
  expect(text).not.toContain('I turn the wheel.');
  say('user', 'And now turn it back, please.', 's2');
  const again = run(true, 'a1');
  expect(await ask('startup')).toMatch(new RegExp(`not passed since:\n#${again} `));
});

test('what failed again stands once: a push of several sessions, a narrow run before the whole one', async () => {
  const run = (sessionId: string, command: string, output: string, isError = true) =>
    remember({ sessionId, input: { command }, output, isError }, command);
  run('s1', 'npm test -- --grep Wheel', 'Exit code 1\n1 failing');
  run('s1', 'git pull --rebase && git push && git status', 'Exit code 1\nssh: no route to the mill');
  run('s2', 'npm test', 'Exit code 1\n1 failing');
  run('s2', 'git push', 'Exit code 1\nfatal: no route to the mill');
  const text = await ask('startup');
  expect(text.split('not passed since:\n')[1]?.match(/`[^`]+`/g)).toEqual(['`npm test`', '`git push`']);
  run('s3', 'git push origin main', 'To the mill', false);
  expect(await ask('startup')).not.toContain('git push');
});

test('a plan of which only the checks are left is no open work once they pass after the last edit', async () => {
  say('user', 'Please make the mill grind rye without noise.');
  const steps = ['completed', 'pending'].map((status, at) => ({
    content: at === 0 ? 'oil the axle' : 'Run lint and tests',
    status,
  }));
  remember({ tool: 'TodoWrite', input: { todos: steps } }, 'plan');
  ran('npm test', false);
  expect(await ask('startup')).not.toContain('open:');
  remember({ tool: 'Edit', input: { file_path: '/p/mill.ts', old_string: 'a', new_string: 'b' } }, 'edit');
  expect(await ask('startup')).toContain('open: Run lint and tests');
});

test('a step that the commit of a later session names is no open work', async () => {
  say('user', 'Please make the mill grind rye without noise.');
  const todos = ['Oil the axle', 'Sweep the mill floor'].map((content) => ({ content, status: 'pending' }));
  remember({ tool: 'TodoWrite', input: { todos } }, 'plan');
  expect(await ask('startup')).toContain('0 of 2 steps done; open: Oil the axle; Sweep the mill floor');
  say('user', 'Please sweep the mill floor now.', 's2');
  const command = 'git commit -am "Sweep the mill floor"';
  remember({ input: { command }, output: '[main 1a2b3c4] Sweep the mill floor', sessionId: 's2' }, 'commit');
  expect(await ask('startup')).toContain('1 of 2 steps done; open: Oil the axle\n');
});

test('it says where the project is: focus, pins, the last sessions, open work, and what is missing', async () => {
  store.settings.set('focus', 'make the mill quiet');
  store.settings.set('focus.at', '2026-01-01T09:00:00.000Z');
  const pinned = ran('npm run build', false);
  store.summaries.pin(pinned, true);
  say('user', 'Please make the mill grind rye without noise. It is loud.');
  remember(
    {
      tool: 'TodoWrite',
      input: {
        todos: [
          { content: 'oil the axle', status: 'completed' },
          { content: 'balance the stone', status: 'pending' },
        ],
      },
    },
    'plan',
  );
  const gone = remember(
    { input: { command: 'bun test' }, output: 'Exit code 127\nbun: command not found', isError: true },
    'bun',
  );
  say(
    'assistant',
    'The mill grinds rye now, because the axle is oiled.\n\n## Next steps\n- Balance the stone\n- Measure the noise',
  );
  const text = await ask('startup');
  const order = [
    ...[
      'Focus:',
      'make the mill quiet',
      'Pinned:',
      `#${pinned} `,
      'Last sessions:',
      'without noise. It is loud.',
    ],
    ...['→ The mill grinds rye now', 'Open work:', 'open: balance the stone', 'next: Measure the noise'],
    ...['last passed', 'Not found:', `#${gone} ${day} \`bun\``],
  ];
  const places = order.map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  for (const part of order) expect(text).toContain(part);
  for (const source of ['resume', 'fork']) {
    expect(await ask(source)).toContain('make the mill quiet');
    expect(await ask(source)).not.toContain('oil');
  }
  expect(await ask('startup', 's1')).not.toContain('without noise');
});

test('after a compaction a session gets its own handoff', async () => {
  say('user', 'Please make the mill grind rye without noise.');
  remember(
    { tool: 'Edit', input: { file_path: '/p/src/mill.ts', old_string: 'a', new_string: 'b' } },
    'edit',
  );
  const failed = ran('npm test -- rye', true);
  say('user', 'Now let us use oak instead of pine.');
  const text = await ask('compact', 's1');
  for (const part of [
    'Goal:',
    'Last request:',
    'oak instead of pine',
    'Files changed:',
    'src/mill.ts',
    '`npm test -- rye`: failed',
    `#${failed} `,
  ])
    expect(text).toContain(part);
  expect(await handoff('last')).toBe(text);
  await expect(handoff('s2')).rejects.toThrow('session "s2" is too short');
});

test('a check that ran again without a known end is no open failure, and files that only git counted are counted', async () => {
  ran('npm run lint', true);
  expect(await handoff('last')).toContain('Failed, and not passed since:');
  remember({ input: { command: 'npm run lint | grep wheel' }, output: 'wheel.ts' }, 'Ran lint.');
  const edit = { file_path: '/p/a.ts', old_string: 'a', new_string: 'b' };
  remember({ tool: 'Edit', input: edit, output: { filePath: '/p/a.ts' } }, 'Edited a.ts.');
  remember({ input: { command: 'node scripts/oil.mjs' }, output: 'done' }, 'Ran scripts/oil.mjs.');
  const commit = '[main 1a2b3c4] Oil the wheel\n 3 files changed, 3 insertions(+)';
  remember({ input: { command: 'git commit -am "Oil the wheel"' }, output: commit }, 'Committed.');
  const text = await handoff('last');
  expect(text).not.toContain('Failed, and not passed since:');
  expect(text).toContain('a.ts and 2 more');
});

test('a question for a command gets the one that last passed', () => {
  const asked = (query: string) => recipeFor(query, store, new SessionAccounts(store));
  expect(asked('how do I run the tests here?')).toBeNull();
  const old = ran('cd /p && npm test', false);
  for (let at = 2; at < 10; at += 1) remember({ sessionId: `s${at}`, input: { command: 'ls' } }, 'Ran ls.');
  ran('npm test -- rye', true);
  const lint = ran('npm run lint', false);
  for (const query of [
    ...['which command tests this project?', 'How do I run the tests here?', 'test command'],
    ...['what’s the command to run all unit tests of this repo', 'how was it tested'],
  ])
    expect([query, asked(query)]).toMatchObject([query, { id: old, command: 'npm test', place: '' }]);
  expect(asked('how do we lint?')).toMatchObject({ id: lint, command: 'npm run lint' });
  for (const query of ['how did we fix the tests', 'tests', 'how do I build it', 'how do I', 'which command'])
    expect([query, asked(query)]).toEqual([query, null]);
});
