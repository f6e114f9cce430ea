import { expect, it } from 'vitest';
import type { Step } from '../shapes.ts';
import {
  accountOf,
  endingOf,
  filesIn,
  filesNamed,
  leftOpen,
  openFailures,
  openWork,
  publishedBy,
  titleOf,
} from '../text/account.ts';
import {
  checksOf,
  commitsOf,
  filesOf,
  fixesOf,
  isSameReport,
  lastQuestion,
  mainRequests,
  manualChecks,
  nextSteps,
  replyWith,
  requestBefore,
  requestsOf,
  turnsOf,
  unfinishedRequest,
} from './model.ts';

const step = (seq: number, more: Partial<Step>): Step => ({
  seq,
  id: seq,
  ts: '2026-01-01T00:00:00.000Z',
  kind: 'call',
  tool: 'Bash',
  family: 'command',
  title: '',
  ...more,
});
const check = (seq: number, name: string, verdict: 'passed' | 'failed'): Step =>
  step(seq, { title: name, runs: [{ name, isCheck: true, verdict }] });

it('finds what fixed a failure: a pass of the same check or of a wider one, or the same call', () => {
  const steps = [
    check(1, 'npm test src/a.test.ts', 'failed'),
    step(2, { title: 'make sacks', end: 'failed' }),
    check(3, 'npm run lint', 'passed'),
    check(4, 'npm test', 'passed'),
    step(5, { title: 'make sacks' }),
    check(6, 'npm test', 'failed'),
  ];
  const both = fixesOf(steps);
  const { fixedBy, fixes } = both;
  expect([...fixedBy].map(([seq, by]) => [seq, by.seq])).toEqual([
    [1, 4],
    [2, 5],
  ]);
  expect(fixes.get(4)?.seq).toBe(1);
  expect(checksOf(steps, both).map(({ name, hasPassed, isFixed }) => [name, hasPassed, isFixed])).toEqual([
    ['npm test', false, false],
    ['npm test src/a.test.ts', false, true],
    ['npm run lint', true, false],
  ]);
});

it('takes a check as fixed by the hook of a later commit, and an edit by the next change of its file', () => {
  const steps = [
    check(1, 'npm test', 'failed'),
    step(2, { title: 'src/mill.ts', family: 'edit', tool: 'Edit', end: 'failed' }),
    step(3, { hook: ['npm test'] }),
    step(4, { files: [{ path: 'src/mill.ts', added: 1, removed: 1 }] }),
    step(5, { commit: 'Grind', hook: null }),
    step(6, { commit: 'Grind rye' }),
  ];
  const both = fixesOf(steps);
  expect([...both.fixedBy].map(([seq, by]) => [seq, by.seq])).toEqual([
    [2, 4],
    [1, 6],
  ]);
  expect(checksOf(steps, both)).toMatchObject([{ name: 'npm test', hasPassed: false, isFixed: true }]);
});

it('finds the reply of the outcome, what it leaves to do, and the request in whose middle a session ends', () => {
  const reply = (seq: number, title: string, more: Partial<Step> = {}): Step =>
    step(seq, { kind: 'reply', title, ...more });
  const steps = [
    step(1, { kind: 'prompt', title: 'Oil it', asks: 'Oil it' }),
    reply(2, 'Done:\n\n- `src/mill.ts`: oiled the **wheel**\n- and the gate', { next: ['Oil the bell'] }),
    reply(3, '1. Primary Request and Intent: oiled the wheel and the gate', { isCompaction: true }),
  ];
  expect(replyWith('`mill.ts`: oiled the wheel • and the gate', steps)?.seq).toBe(2);
  expect(replyWith('never said', steps)).toBeNull();
  expect(nextSteps(steps)).toEqual(['Oil the bell']);
  expect(unfinishedRequest(turnsOf(steps, fixesOf(steps)))).toEqual([]);
  const more = [
    ...steps,
    step(4, { kind: 'prompt', title: 'Oil the bell', asks: 'Oil the bell' }),
    step(5, {}),
  ];
  expect(unfinishedRequest(turnsOf(more, fixesOf(more)))).toEqual(['Oil the bell']);
  const announced = [...more, reply(6, 'Let me look at the bell.', { announces: true })];
  expect(unfinishedRequest(turnsOf(announced, fixesOf(announced)))).toEqual([
    'Oil the bell',
    '“Let me look at the bell.”',
  ]);
  const oiled = steps.find(({ seq }) => seq === 2);
  expect(oiled && requestBefore(oiled, turnsOf(more, fixesOf(more)))).toEqual({ number: 1, seq: 1 });
  expect(oiled && requestBefore(oiled, turnsOf(steps, fixesOf(steps)))).toBeNull();
  const committed = [...more, step(6, { commit: 'Oil the bell' })];
  expect(unfinishedRequest(turnsOf(committed, fixesOf(committed)))).toEqual([]);
});

it('parts a session into turns and adds up its files and commits', () => {
  const file = (path: string, added: number, removed: number) => [{ path, added, removed }];
  const steps = [
    step(1, { files: file('src/a.ts', 2, 1) }),
    step(2, { kind: 'prompt', title: 'go' }),
    step(3, { files: file('src/a.ts', 3, 0) }),
    step(4, { files: file('/tmp/scratch', 9, 9) }),
    step(5, { commit: 'Go' }),
    step(6, { kind: 'prompt', title: 'on' }),
  ];
  const turns = turnsOf(steps, fixesOf(steps));
  expect(turns.map(({ key, prompt, steps: own }) => [key, prompt?.title, own.length])).toEqual([
    [1, undefined, 1],
    [2, 'go', 3],
    [6, 'on', 0],
  ]);
  expect(filesOf(steps)).toEqual([{ path: 'src/a.ts', added: 5, removed: 1, edits: 2 }]);
  expect(commitsOf(steps).map(({ commit }) => commit)).toEqual(['Go']);
});

it('shows files of git itself, and neither temporary ones nor one that came and went', () => {
  const file = (path: string, more = {}) => [{ path, added: 1, removed: 0, ...more }];
  const steps = [
    step(1, { files: file('/repo/.git/hooks/pre-push') }),
    step(2, { files: file('tmp/clone', { isGone: true }) }),
    step(3, { files: file('/tmp/note.md') }),
    step(4, { files: file('draft.ts', { isNew: true }) }),
    step(5, { files: file('draft.ts', { isGone: true }) }),
  ];
  expect(filesOf(steps).map(({ path }) => path)).toEqual(['/repo/.git/hooks/pre-push']);
});

it('lists what was asked with what was done until the next request', () => {
  const asked = (seq: number, asks?: string): Step =>
    step(seq, { kind: 'prompt', title: asks ?? 'ok', ...(asks !== undefined && { asks }) });
  const report = step(5, { kind: 'reply', says: 'Oiled • Swept' });
  const steps = [asked(1, 'Oil the'), asked(2, 'Oil the wheel'), step(3, {}), asked(4), report];
  steps.push(step(5, { files: [{ path: 'a.ts', added: 1, removed: 0 }] }), asked(6, 'Paint it red please'));
  const requests = requestsOf(turnsOf(steps, fixesOf(steps)));
  expect(requests).toEqual([
    { seq: 2, text: 'Oil the wheel', turns: 3, calls: 2, files: 1, says: 'Oiled • Swept' },
    { seq: 6, text: 'Paint it red please', turns: 1, calls: 0, files: 0, says: '' },
  ]);
  const many = Array.from({ length: 12 }, (_, seq) => ({
    seq,
    text: '',
    turns: 1,
    calls: 1,
    files: seq % 5,
    says: '',
  }));
  expect(mainRequests(many).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 9, 11]);
  expect(
    isSameReport(
      '`src/mill/wheel.ts` — Added a second lock of oak • b',
      '`wheel.ts`: Added a second lock of…',
    ),
  ).toBe(true);
  expect(isSameReport('Oiled the wheel', '')).toBe(false);
});

it('reads the digest of a session', () => {
  const account = accountOf(
    [
      'Goal: Grind more (plan): The mill is slow.',
      'Outcome: It is fast.',
      'Changed: 3 files: src/mill.ts (2 edits: grind, sack), src/cart.ts (created) and 1 more',
      'Committed: “Grind more”, “Sack more”',
      'Failed: `npm run lint` 2 times (still failing): unused import; no sack; `npm test` (fixed); tests rye; `gh pr` 3 times: offline',
      'Ended: 2 of 3 steps done, next “Sweep”; last check `npm run lint` failed',
    ].join('\n'),
  );
  expect(titleOf(account)).toBe('Grind more');
  expect(endingOf(account)).toBe('failing');
  expect(openWork(account.ended)).toBe('2 of 3 steps done, next “Sweep”');
  const ended = 'plan done (2 steps); 3 files changed, no commit seen; pushed';
  expect(leftOpen({ ...account, ended })).toBe('3 files changed, no commit seen');
  expect(leftOpen(accountOf('Changed: README.md (1 edit)'))).toBe('no commit seen');
  expect(leftOpen(accountOf('Looked at: README.md'))).toBe('');
  expect(openFailures(account)).toEqual(['`npm run lint` 2 times: unused import; no sack']);
  expect(endingOf({ ...account, ended: 'last check `npm test` passed' })).toBe('failing');
  expect(filesIn(account.changed)).toEqual({ names: ['src/mill.ts', 'src/cart.ts'], count: 3 });
  expect(titleOf(accountOf('Goal: Grind more (plan): The mill is slow.'))).toBe('Grind more');
  const digests = [
    null,
    'Changed: 2 files: src/mill.ts (1 edit), web/mill.tsx (created)',
    'Changed: src/Mill.ts (1 edit)',
  ];
  expect(filesNamed('mill.ts', digests)).toEqual(['src/mill.ts', 'src/Mill.ts']);
  expect(filesNamed(' SRC/mill ', digests)).toEqual(['src/mill.ts', 'src/Mill.ts']);
  expect(filesNamed('mill', digests)).toHaveLength(3);
  for (const query of ['ill.ts', 'ts', 'the mill.ts', 'c/mill'])
    expect(filesNamed(query, digests)).toEqual([]);
  expect(endingOf(accountOf('Changed: README.md (1 edit)\nEnded: no commit seen'))).toBe('changed');
});

it('takes a question at the end of the last reply for open, unless it was answered', () => {
  const said = (kind: 'prompt' | 'reply', title: string): Step => ({
    seq: 1,
    id: 1,
    ts: '2026-01-01T00:00:00.000Z',
    kind,
    tool: kind,
    title,
  });
  const asked = said('reply', 'All threads are addressed.\n\nNo thread is open. Shall I merge the branch?');
  expect(lastQuestion([asked])).toBe('Shall I merge the branch?');
  expect(lastQuestion([asked, said('prompt', 'yes')])).toBe('');
  expect(lastQuestion([said('reply', 'Why? Because it failed.')])).toBe('');
});

it('names a session of several commits by its plan, and by its first commit without one', () => {
  const digest = 'Goal: Fix `clean` (plan): Two bugs.\nCommitted: “Fix clean” and “Use a better name”';
  expect(titleOf(accountOf(digest))).toBe('Fix `clean`');
  expect(titleOf(accountOf(digest.replace(' (plan)', '')))).toBe('Fix clean');
  expect(titleOf(accountOf(digest.replace(' and “Use a better name”', '')))).toBe('Fix clean');
});

it('takes a commit that was made as the fix of the commits that failed before it', () => {
  const failed = step(1, {
    title: 'git commit',
    end: 'failed',
    runs: [{ name: 'tsc', isCheck: true, verdict: 'failed' }],
  });
  const made = step(2, { title: 'git commit', commit: 'Oil the wheel' });
  expect(fixesOf([failed, made]).fixedBy.get(1)?.seq).toBe(2);
});

it('names what no commit of the list shows', () => {
  const account = accountOf('Changed: README.md (1 edit)\nEnded: committed, as a reply says; pushed');
  expect(publishedBy(account)).toEqual(['committed, as a reply says', 'pushed']);
  expect(endingOf(account)).toBe('committed');
  expect(leftOpen(account)).toBe('');
});

it('says of a check that failed whether files were changed after it, and what a plan leaves to a person', () => {
  const steps = [
    step(1, { kind: 'prompt', title: 'Plan', manual: ['Manual test: ring the bell'] }),
    check(2, 'npm test', 'failed'),
    step(3, { files: [{ path: 'src/mill.ts', added: 1, removed: 0 }] }),
    check(4, 'npm run lint', 'failed'),
  ];
  expect(checksOf(steps, fixesOf(steps)).map(({ name, isStale }) => [name, isStale])).toEqual([
    ['npm test', true],
    ['npm run lint', false],
  ]);
  expect(manualChecks(steps)).toEqual(['Manual test: ring the bell']);
});
