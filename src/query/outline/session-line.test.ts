import { describe, expect, test } from 'vitest';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { sessionLine } from './session-line.ts';

/** A turn of an invented session: what was asked, the files edited for it, and the answer. */
type Turn = readonly [asked: string, files: readonly string[], answer: string];

const lineOf = (turns: readonly Turn[], at: number) => {
  const view = { sessionId: 's', id: 7, ts: '2026-10-05T08:00:00.000Z', author: undefined };
  const parts = turns.flatMap(([asked, files, answer], turn) => [
    ['user', asked] as const,
    ...files.map((file, n) => new Calls().edit(file, `fast ${n} of ${turn - 1}`, `fast ${n} of ${turn}`)),
    ['assistant', answer] as const,
  ]);
  const [line] = sessionLine({ ...view, account: accountOf(...parts) }, at);
  return { text: line?.text, shorter: line?.shorter };
};

const question: Turn = [
  'Why does the mill wheel stop every night?',
  [],
  'The wheel stops because the sluice closes at ten.',
];
const work: Turn = [
  'Then keep the sluice open until the grain is ground',
  ['sluice.ts', 'wheel.ts'],
  'Fixed the sluice: it stays open while the hopper holds grain.',
];
const detail: Turn = [
  'Now rename the hopper test to say that',
  ['hopper.test.ts'],
  'Renamed the test to `grain is left`.',
];

describe('an older session', () => {
  test('of which the goal was only talked about says the request with most changed files', () => {
    const { text, shorter } = lineOf([question, work, detail], 1);
    expect(text).toBe(
      'Why does the mill wheel stop every night?; then “Then keep the sluice open until the grain is ground” → Fixed the sluice: it stays open while the hopper holds grain.',
    );
    expect(shorter?.[0]).toMatch(/^“Then keep the sluice/);
    expect(shorter?.at(-1)).toBe('Why does the mill wheel stop every night?');
  });

  test('says what came of its goal where that was worked on', () => {
    expect(lineOf([work, detail], 1).text).toMatch(/^Then keep the sluice .* → Fixed the sluice: .*grain\.$/);
  });

  test('says what came of it once the user had corrected its goal', () => {
    const right: Turn = [
      'It should not stay open at night',
      ['sluice.ts'],
      'Fixed the sluice: it closes at ten.',
    ];
    const line =
      'Then keep the sluice open until the grain is ground; then “It should not stay open at night” → ';
    expect(lineOf([work, right], 1).text).toBe(`${line}Fixed the sluice: it closes at ten.`);
    expect(lineOf([work, right, detail], 0).text).toBe(
      `${line}Fixed the sluice: it closes at ten; then “Now rename the hopper test to say that” → Renamed the test to \`grain is left\`.`,
    );
  });

  test('says what came of it once later work took its lines out, in whatever words', () => {
    const over: Turn = [
      'Thinking again: the sluice closes at dusk',
      ['sluice.ts'],
      'Fixed the sluice: it closes at dusk.',
    ];
    const line = (second: Turn) => {
      const { text } = lineOf(
        [['Keep the sluice open all night', ['sluice.ts'], 'Fixed the sluice: it stays open.'], second],
        1,
      );
      return text;
    };
    expect(line(over)).toBe(
      'Keep the sluice open all night; then “Thinking again: the sluice closes at dusk” → Fixed the sluice: it closes at dusk.',
    );
    expect(line(detail)).toBe('Keep the sluice open all night → Fixed the sluice: it stays open.');
  });

  test('only asked keeps its answer', () => {
    const other: Turn = [
      'And who opens the sluice in the morning?',
      [],
      'The miller opens it at six with the crank.',
    ];
    expect(lineOf([question, other], 1).text).toBe(
      'Why does the mill wheel stop every night? → The wheel stops because the sluice closes at ten.',
    );
  });

  test('of which the work was reported in no words says what came of it all', () => {
    const silent: Turn = ['Keep the sluice open until the grain is ground', ['sluice.ts'], 'Done.'];
    const opened: Turn = [
      'Open a pull request and tell the miller',
      [],
      'Opened pull request 12 with the open sluice.',
    ];
    expect(lineOf([question, silent, opened], 1).text).toBe(
      'Why does the mill wheel stop every night?; then “Open a pull request and tell the miller” → Opened pull request 12 with the open sluice.',
    );
  });
});

describe('the last session', () => {
  test('says both', () => {
    const { text } = lineOf([work, detail], 0);
    expect(text).toMatch(/^Then keep the sluice .* → Fixed the sluice: .*; then “Now rename the hopper test/);
  });

  test('of which the goal was only talked about says the work too, and the last request', () => {
    const { text, shorter } = lineOf([question, work, detail], 0);
    expect(text).toBe(
      'Why does the mill wheel stop every night?; then “Then keep the sluice open until the grain is ground” → Fixed the sluice: it stays open while the hopper holds grain; then “Now rename the hopper test to say that” → Renamed the test to `grain is left`.',
    );
    // In less room the goal keeps its work.
    expect(shorter?.[0]).toMatch(/^Why does the mill wheel .*; then “Then keep the sluice/);
    expect(shorter?.[1]).toMatch(/^“Now rename the hopper test/);
  });

  test('only asked keeps its answers', () => {
    const other: Turn = ['And who opens it?', [], 'The miller opens it at six with the crank.'];
    expect(lineOf([question, other], 0).text).toContain('every night? → The wheel stops because the sluice');
  });
});

test('a long request is shown by its beginning before what came of it is left out', () => {
  const asked = `Keep the sluice open ${'while the grain of the village is ground '.repeat(5)}and close it then`;
  const { shorter } = lineOf(
    [[asked, ['sluice.ts'], 'Fixed the sluice: it stays open while the hopper holds grain.']],
    1,
  );
  expect(shorter?.[0]).toMatch(/^Keep the sluice open .{60,100}… → Fixed the sluice: it stays open/);
  expect(shorter?.at(-1)).toMatch(/^Keep the sluice open .*close it then$/);
});

describe('of which nobody said what came of it', () => {
  const edits: readonly Part[] = [
    new Calls().edit('sluice.ts', 'slow', 'fast'),
    new Calls().edit('wheel.ts', 'slow', 'fast'),
  ];
  const lineFor = (...parts: readonly Part[]) =>
    sessionLine(
      {
        sessionId: 's',
        id: 7,
        ts: '2026-10-05T08:00:00.000Z',
        author: undefined,
        account: accountOf(...parts),
      },
      1,
    )[0]?.text;

  test('what it committed', () => {
    const commit = new Calls().run(
      'git commit -am "Open the sluice at dusk"',
      '[main 1a2b3c4] Open the sluice at dusk\n 2 files changed, 2 insertions(+), 2 deletions(-)',
    );
    expect(lineFor(['user', 'Start on the first ready mill ticket'], ...edits, commit)).toBe(
      'Start on the first ready mill ticket → committed “Open the sluice at dusk”',
    );
  });

  test('what it changed, else what it looked at', () => {
    expect(lineFor(['user', 'Start on the first ready mill ticket'], ...edits)).toBe(
      'Start on the first ready mill ticket → changed 2 files: sluice.ts (1 edit), wheel.ts (1 edit)',
    );
    expect(lineFor(['user', 'Start on the first ready mill ticket'])).toBe(
      'Start on the first ready mill ticket',
    );
    const looked = new Calls().read('sluice.ts').read('wheel.ts');
    const line = 'looked at 2 files: sluice.ts, wheel.ts';
    expect(lineFor(['user', 'Start on the first ready mill ticket'], looked)).toBe(
      `Start on the first ready mill ticket → ${line}`,
    );
    expect(lineFor(looked)).toBe(line);
  });
});
