import { describe, expect, it } from 'vitest';
import { leftOutMark, type ToolEvent } from '#core/event';
import { payloadOf } from '#memory/store';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { readAccount } from './account.ts';
import { briefOf } from './brief.ts';
import { AccountFold } from './fold.ts';
import { outcomeWords } from './words.ts';

const asked = ['user', 'Please make the mill grind rye without noise'] as const;
const steps = ['Oil the axle', 'Balance the stone', 'Commit the change'];

describe('a plan', () => {
  const open = (...parts: readonly Part[]) => accountOf(asked, ...parts).plan?.open;

  it('has the steps open that its last state leaves open, and that were not withdrawn', () => {
    expect(open(new Calls().steps(1, ...steps))).toEqual(steps.slice(1));
    expect(open(new Calls().steps(1, ...steps).steps(3, ...steps))).toEqual([]);
    expect(open(new Calls().steps(1, ...steps).steps(0))).toBeUndefined();
    expect(open(new Calls().todos(['Oil it', 'cancelled'], ['Bake', 'pending']))).toEqual(['Bake']);
  });

  it.each([
    'Done. All three steps are complete.',
    'Everything is done now.',
    'That makes 3 of 3 steps.',
    'Finished: 3/3 steps done.',
    'Implementation complete. What would you like to do?',
    'The plan is complete, and nothing is left.',
  ])('is closed by the reply %j', (reply) => {
    expect(open(new Calls().steps(0, ...steps), ['assistant', reply])).toEqual([]);
  });

  it.each([
    'All but the last step are done.',
    'Two of three steps are done; "Balance the stone" is still open.',
  ])('is not closed by the reply %j', (reply) => {
    expect(open(new Calls().steps(1, ...steps), ['assistant', reply])).toEqual(steps.slice(1));
  });

  it('loses the steps that a commit names, and is not shown where the work went on without it', () => {
    const made = new Calls().steps(0, 'Oil the axle', 'Sweep the floor').edit('a.ts', 'a', 'b');
    expect(open(made.run('git commit -m "Oil the axle"', '[main 1a2b3c4] Oil the axle'))).toEqual([]);
    const left = ['assistant', 'The axle is oiled. "Sweep the floor" waits for the broom.'] as const;
    expect(open(made, left)).toEqual(['Sweep the floor']);
    const more = ['user', 'Now paint the wheel red and white'] as const;
    expect(open(new Calls().steps(1, ...steps), more, new Calls().edit('b.ts', 'a', 'b'))).toEqual([]);
  });

  it('takes a task for done that the list of tasks shows as done, whoever did it', () => {
    const tasks = new Calls().task(1, 'grind').task(2, 'bake');
    const listed = (output: ToolEvent['output']): ToolEvent[] => {
      const calls = new Calls()
        .task(1, 'x')
        .events.map((event) => ({ ...event, tool: 'TaskList', input: {}, output }));
      return calls;
    };
    const fold = new AccountFold();
    const all = [...tasks.events, ...listed('#1 [completed] grind (miller)\n#2 [completed] bake (baker)')];
    for (const [at, event] of all.entries())
      fold.take({
        seq: at + 1,
        ts: `2026-01-01T12:00:0${at}.000Z`,
        payloadJson: JSON.stringify(payloadOf(event)),
      });
    expect(fold.account().plan).toMatchObject({ done: 2, of: 2, open: [] });
  });
});

describe('what came of it', () => {
  it('is said to be of an earlier request when the last work ended without a word', () => {
    const first = [
      ['user', 'Is the wheel oiled?'],
      ['assistant', 'The wheel is oiled already, since Monday.'],
    ] as const;
    const edited = [['user', 'Then oil the axle too'], new Calls().edit('a.ts', 'dry', 'oiled')] as const;
    const { outcome } = accountOf(...first, ...edited);
    expect(outcome).toMatchObject({ text: first[1][1], isEarlier: true });
    expect(outcomeWords(outcome)).toBe(`Before the last request: ${first[1][1]}`);
    const done = ['assistant', 'The axle is oiled too, with the good oil.'] as const;
    expect(accountOf(...first, ...edited, done).outcome).toMatchObject({ text: done[1], isEarlier: false });
    const last = ['assistant', 'Removed the dry word from the wheel, the axle and the stone.'] as const;
    const loop = new Calls().run(`for file in wheel.ts axle.ts; do\n  sed -i '' '/dry/d' "$file"\ndone`, '');
    const swept = [['user', 'Remove the dry word everywhere'], loop, last] as const;
    expect(accountOf(...first, ...edited, done, ...swept).outcome).toMatchObject({ text: last[1] });
    const stars = ['assistant', 'The **first** glob is `**/mill/**/*.md`, which finds every page.'] as const;
    expect(accountOf(asked, new Calls().edit('a.ts', 'a', 'b'), stars).outcome?.text).toContain(
      'The first glob is `**/mill/**/*.md`',
    );
  });

  const outcome = (...parts: readonly Part[]) => accountOf(asked, ...parts).outcome;
  const long = 'Done:\n\n- `a.ts`: counts every sack twice\n- the wheel is asked once a turn\n- added a bell';

  it('is of the last turn that did work, also through a tool or the shell alone', () => {
    const first = [new Calls().edit('a.ts', 'a', 'b'), ['assistant', long]] as const;
    expect(outcome(...first)?.text).toContain('every sack twice');
    const mounted = 'The volume is mounted at /srv/mill, and 39 GB are free there.';
    const shell = [
      ['user', 'Attach the volume to the host, please'],
      new Calls().run('sudo mount /dev/x /srv/mill', ''),
    ] as const;
    expect(outcome(...first, ...shell, ['assistant', mounted])?.text).toBe(mounted);
    const commit = [
      ['user', 'commit'],
      new Calls().run('git commit -am x'),
      ['assistant', 'Committed as 1a2b3c4.'],
    ] as const;
    expect(outcome(...first, ...commit)?.text).toContain('every sack twice');
    // Repairs before the commit, which the reply reports.
    const list = 'Created 2 commits:\n\n- `1a2b3c4` Oil the axle\n- `2b3c4d5` Grind rye\n\n';
    const repairs = [
      ['user', 'Commit the changes'],
      new Calls().edit('b.ts', 'a', 'b').edit('c.ts', 'a', 'b').run('git commit -am x'),
    ] as const;
    const fixed = [
      'assistant',
      `${list}I fixed the small findings first: oiled the axle, and rang the bell.`,
    ] as const;
    expect(outcome(...first, ...repairs, fixed)?.text).toContain(
      'I fixed the small findings first: oiled the axle',
    );
    expect(outcome(...first, ...repairs, ['assistant', 'Committed.'])?.text).toContain('every sack twice');
  });

  it('is never the summary of a compaction', () => {
    const kept =
      'This session is being continued from a previous conversation that ran out of context. Summary: oiled.';
    expect(
      outcome(['assistant', 'The axle is oiled, and the mill is quiet now.'], ['assistant', kept])?.text,
    ).toContain('quiet now');
  });
});

it('asks for what was asked last, says what was decided, and what is left', () => {
  const account = accountOf(
    asked,
    new Calls().ask('Which grain first?', 'Rye').refuse('rm sacks', 'we still need them'),
    ['assistant', 'The mill grinds rye.\n\n## Next steps\n- Balance the stone'],
    ['user', 'yes'],
    [
      'assistant',
      'The mill grinds rye now, without noise.\n\n## Next steps\n- Measure the noise\n\nShall I measure it?',
    ],
  );
  expect(account.last).toBeNull();
  expect(account.decided.map(({ by, text }) => [by, text])).toEqual([
    ['answer', 'Rye'],
    ['refusal', 'we still need them'],
  ]);
  expect(account.left.map(({ text }) => text)).toEqual(['Measure the noise']);
  expect(account.question?.text).toBe('Shall I measure it?');
  expect(readAccount(JSON.stringify(account))).toEqual(account);
});

it('takes a variable of the shell for no subject, and a greeting for no goal', () => {
  const calls = new Calls().run('git commit -m $msg', '[main 1a2b3c4] Oil the axle\n 1 file changed');
  const account = accountOf(['user', 'good morning, please pick up where we left off'], asked, calls);
  expect(account.commits.map(({ text }) => text)).toEqual(['Oil the axle']);
  expect(account.goal?.text).toBe(asked[1]);
});

it('pairs a failure with what fixed it', () => {
  const { fixes } = accountOf(
    new Calls()
      .run('npm test src/a.test.ts', '1 failed', true)
      .run('make sacks', 'no sack', true)
      .run('npm test', '12 passed')
      .run('make sacks')
      .run('npm test', '1 failed', true),
  );
  expect(fixes).toEqual([
    [1, 3],
    [2, 4],
  ]);
});

it('leaves out of the commands what only looks, and says a repeated one once', () => {
  const { commands } = accountOf(
    asked,
    new Calls()
      .run('git status')
      .run('cat a.ts')
      .run('make sacks')
      .run('make sacks')
      .run('npm test', '1 failed', true),
  );
  expect(commands.map(({ command, end, runs }) => [command, end, runs])).toEqual(
    expect.arrayContaining([
      ['make sacks', 'passed', 2],
      ['npm test', 'failed', 1],
    ]),
  );
  expect(commands).toHaveLength(2);
});

it('says nothing of what an earlier version left out', () => {
  const calls = new Calls().run('npm test', '', true).ask('Which grain?', 'Rye');
  for (const [at, event] of calls.events.entries())
    calls.events[at] = { ...event, output: leftOutMark, ...(at === 1 && { input: leftOutMark }) };
  const account = accountOf(['user', leftOutMark], ['assistant', leftOutMark], asked, calls, [
    'assistant',
    leftOutMark,
  ]);
  expect(account.goal?.text).toBe(asked[1]);
  expect(account.requests).toHaveLength(1);
  expect(account.outcome).toBeNull();
  expect(JSON.stringify(account)).not.toContain('left out by memd');
});

describe('what is not so', () => {
  it('takes a choice for the goal where the work was only to go on', () => {
    const account = accountOf(
      ['user', 'pick up where we left off'],
      new Calls().ask('What gets ground today?', 'The rye'),
      ['user', 'yes, the statement on the wheel has to say so too'],
    );
    expect(account.goal?.text).toBe('What gets ground today? The rye');
  });

  it('takes no words in the middle of the work for its outcome', () => {
    const calls = (at: number) => new Calls(`s${at}`).edit(`src/${at}.ts`, 'a', 'b');
    const account = accountOf(
      asked,
      calls(1),
      ['assistant', 'Oiled the axle of the wheel, so that it turns without noise.'],
      ['user', 'now check the claims of the miller again'],
      ['assistant', 'The wheel is fine, it matches. Two claims are left to check:'],
      calls(2),
    );
    expect(account.outcome?.text).toContain('Oiled the axle');
    expect(account.requests.map(({ says }) => says?.text ?? '')).toEqual([
      expect.stringContaining('Oiled the axle'),
      '',
    ]);
  });

  it('takes no failure of changes that were taken back for an open one', () => {
    const made = new Calls()
      .edit('src/gate.ts', 'open', 'shut')
      .run('go test ./gate -run TestGate', '--- FAIL: TestGate (0.01s)\nFAIL', true);
    expect(accountOf(asked, made).checks[0]).toMatchObject({ end: 'failed', isFixed: false });
    made.run('git checkout src/gate.ts', 'Updated 1 path from the index');
    const account = accountOf(asked, made);
    expect(account.checks[0]).toMatchObject({ isFixed: true });
    expect(account.files).toEqual([]);
  });

  it('lists no failed command that a later one or a commit left behind, nor what only tidies or lists', () => {
    const { commands } = accountOf(
      asked,
      new Calls()
        .run('./mill.sh --grain rye', 'unknown grain', true)
        .run('./mill.sh --grind rye')
        .run('./sift.sh', 'no sieve', true)
        .run('chmod +x mill.sh')
        .run('bd ready')
        .run('git commit -m "Grind rye"', '[main 1a2b3c4] Grind rye\n 3 files changed'),
    );
    expect(commands.map(({ command }) => command)).toEqual(['./mill.sh --grind rye']);
  });

  it('knows an amended commit by its new id, and no variable of the shell as a subject', () => {
    const { commits } = accountOf(
      asked,
      new Calls()
        .run('git commit -m "Grind rye"', '[main 1a2b3c4] Grind rye\n 1 file changed')
        .run('git add -f a.css && git commit --amend --no-edit', '[main 5d6e7f8] Grind rye\n 2 files changed')
        .run('git commit -m $msg', ''),
    );
    expect(commits).toMatchObject([{ hash: '5d6e7f8', text: 'Grind rye' }]);
  });

  it('counts the files of its only commit as git does, and those that commands wrote', () => {
    const { files, filesCount } = accountOf(
      asked,
      new Calls()
        .run("printf '<svg>' > media/mill.svg", '')
        .run('sips -s format png media/mill.svg --out media/mill.png', '')
        .run('mv media/mill.svg old/ && rmdir media2 || true', '')
        .run('rm -rf src/obj src/bin', '')
        .run('git commit -m "Grind"', '[main 1a2b3c4] Grind\n 5 files changed'),
    );
    expect(files.map(({ path }) => path).sort()).toEqual(['media/mill.png', 'old/mill.svg']);
    expect(filesCount).toBe(5);
  });

  it('is not committed where a file was changed after the commit', () => {
    const made = new Calls()
      .edit('src/a.ts', 'a', 'b')
      .run('git commit -m "A"', '[main 1a2b3c4] A\n 1 file changed');
    expect(briefOf(accountOf(asked, made)).ending).toBe('committed');
    expect(briefOf(accountOf(asked, made.edit('src/a.ts', 'b', 'c'))).ending).toBe('changed');
  });
});
