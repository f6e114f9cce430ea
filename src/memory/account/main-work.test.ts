import { expect, it, test } from 'vitest';
import { accountOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { titleOf } from './ended.ts';
import { outcomeWords } from './words.ts';

const edited = (...files: readonly string[]) =>
  files.reduce(
    (calls, file) => calls.edit(file, 'const stop = wheel();', 'const turn = wheel(rye);'),
    new Calls(),
  );
const mill: readonly Part[] = [
  ['user', 'Make the mill grind rye in place of wheat'],
  edited('src/wheel.ts', 'src/axle.ts', 'src/stone.ts'),
  ['assistant', 'Changed the wheel, the axle and the stone so that they grind rye.'],
];
const outcome = (...parts: readonly Part[]) => outcomeWords(accountOf(...parts).outcome);

it('a last small step stands behind what the session was for', () => {
  const bell: readonly Part[] = [
    ['user', 'And ring the bell twice please'],
    edited('src/bell.ts'),
    ['assistant', 'Changed the bell so that it rings twice.'],
  ];
  const main = 'Changed the wheel, the axle and the stone so that they grind rye';
  expect(outcome(...mill, ...bell)).toBe(`${main}; then: Changed the bell so that it rings twice.`);
  const large = edited('src/bell.ts', 'src/rope.ts');
  expect(outcome(...mill, ['user', 'And ring the bell twice please'], large, ...bell.slice(2))).toBe(
    'Changed the bell so that it rings twice.',
  );
  const summary: readonly Part[] = [
    ['user', 'Give me a summary of the mill and clean up'],
    edited('src/bell.ts'),
    ['assistant', 'Changed all three parts, and the bell.'],
  ];
  expect(outcome(...mill, ...summary)).toBe('Changed all three parts, and the bell.');
});

it('a line in the changelog is no outcome next to the work', () => {
  const noted: readonly Part[] = [
    ['user', 'update the changelog with a small sentence'],
    edited('CHANGELOG.md'),
    ['assistant', 'Updated the changelog with a line about rye.'],
  ];
  expect(outcome(...mill, ...noted)).toBe(
    'Changed the wheel, the axle and the stone so that they grind rye.',
  );
  expect(outcome(...noted)).toBe('Updated the changelog with a line about rye.');
  const docs = [
    noted[0],
    edited('docs/changes.md'),
    ['assistant', 'Updated the page of changes too.'],
  ] as const;
  expect(outcome(...mill, ...(docs as readonly Part[]))).toContain('; then: Updated the page');
});

it('a request is not undone when its file is written again with its lines', () => {
  const lines = ['const wheel = turn(rye);', 'const stone = grind(rye);', 'const axle = hold(wheel);'];
  const asked: readonly Part[] = [
    ['user', 'Make the mill grind rye in place of wheat'],
    new Calls().write('src/mill.ts', lines.join('\n')),
    ['assistant', 'The mill grinds rye now.'],
    ['user', 'And ring the bell twice please'],
    new Calls().write('src/mill.ts', [...lines, 'const bell = ring(2);'].join('\n')),
    ['assistant', 'The bell rings twice.'],
  ];
  expect(accountOf(...asked).requests.map(({ isUndone }) => isUndone)).toEqual([false, false]);
});

it('a request is undone when later ones take its lines out, in whatever words', () => {
  const hidden: readonly Part[] = [
    ['user', 'Hide the bell from the list of parts'],
    new Calls().edit('src/bell.ts', 'name: "bell",', 'name: "bell",\n  isHidden: true, // from the list'),
    ['assistant', 'The bell is hidden from the list.'],
  ];
  const undone = (...parts: readonly Part[]) =>
    accountOf(...hidden, ...parts).requests.map((one) => one.isUndone);
  const away = new Calls().run('rm src/bell.ts', '');
  const out = new Calls().edit('src/bell.ts', '  isHidden: true, // from the list', '');
  expect(undone(['user', 'Thinking again, the bell goes altogether'], away)).toEqual([true, false]);
  expect(undone(['user', 'Show the bell at the end of the list'], out)).toEqual([true, false]);
  expect(undone(['user', 'Now show the rope at the end'], edited('src/rope.ts'))).toEqual([false, false]);
});

it('what was undone is not what the session was for', () => {
  const out = ['wheel', 'axle', 'stone'].reduce(
    (calls, name) => calls.edit(`src/${name}.ts`, 'const turn = wheel(rye);', 'const stop = wheel();'),
    new Calls(),
  );
  const back: readonly Part[] = [
    ['user', 'Wheat was right in the end, and paint the door'],
    out.edit('src/door.ts', 'const door = paint(grey);', 'const door = paint(blue);'),
    ['assistant', 'Painted the door blue, and the mill grinds wheat.'],
  ];
  expect(outcome(...mill, ...back)).toBe('Painted the door blue, and the mill grinds wheat.');
});

it.each([
  [
    'a file it names was written anew',
    "const gate = sluice(barley, 'left');",
    'Changed `wheel.ts` so that it grinds rye.',
  ],
  ['it says what will be done', 'const turn = wheel(rye);', 'The mill will now grind rye.'],
  ['it names nothing', 'const turn = wheel(rye);', 'Changed everything you decided today.'],
])('what came of the main request is left out when %s', (_, later, said) => {
  const again: readonly Part[] = [
    ['user', 'Take a sluice gate there please'],
    new Calls().edit('src/wheel.ts', 'const turn = wheel(rye);', later),
    ['assistant', 'The water comes through a gate.'],
  ];
  expect(outcome(...mill.slice(0, 2), ['assistant', said], ...again)).toBe('The water comes through a gate.');
});

const committed = (...subjects: readonly string[]) =>
  subjects.reduce(
    (calls, subject, at) => calls.run(`git commit -m "${subject}"`, `[main abc123${at}] ${subject}`),
    edited('src/wheel.ts'),
  );

test.each([
  "Merge branch 'main' into rye",
  "Merge remote-tracking branch 'origin/main'",
  'Merge origin/main into rye',
  'Merge pull request #3 from miller/rye',
])('%j is no work of the session next to a commit of its own', (merge) => {
  const { commits } = accountOf(mill[0] as Part, committed('Grind rye', merge));
  expect(commits.map(({ text }) => text)).toEqual(['Grind rye']);
  const asked = accountOf(...mill, ['user', 'merge the other branch please'], committed('Grind rye', merge));
  expect(asked.commits.map(({ text }) => text)).toEqual(['Grind rye', merge]);
  const alone = accountOf(mill[0] as Part, committed(merge));
  expect(alone.commits.map(({ text }) => text)).toEqual([merge]);
  expect(titleOf(alone)).toBe('Make the mill grind rye in place of wheat');
});

it('a merge with a subject of its own says what was done', () => {
  const subjects = ['Merge the wheel and the axle into one file', 'Grind rye'];
  expect(accountOf(committed(...subjects)).commits.map(({ text }) => text)).toEqual(subjects);
});

const commands = (calls: Calls) => accountOf(mill[0] as Part, calls).commands.map(({ command }) => command);

test.each([
  [
    'passed once after it had failed',
    new Calls().run('npm install rye', 'ERR', true).run('npm install rye', 'added'),
  ],
  ['was tried in a temporary folder', new Calls().run('cd /tmp/try && ./mill --grind', 'x', true)],
])('a command that %s is not listed', (_, calls) =>
  expect(commands(calls.edit('src/wheel.ts', 'const stop = 1;', 'const turn = 1;'))).toEqual([]),
);
