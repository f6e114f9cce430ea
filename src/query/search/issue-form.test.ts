import { expect, test } from 'vitest';
import { withoutForm } from './issue-form.ts';

const beginning = [
  'The harbour map loses its tide marks after a zoom',
  'Zoom in twice with the wheel and once out again. The marks of the last hour are gone, those of the hour before stay where they were.',
  'With the keyboard it does not happen, and with two fingers only sometimes. I see it in the map of the north basin and in the one of',
  'the docks, but not in the small one on the first page. It began when the layers were put into one canvas.',
].join('\n');
const telling = [
  'TypeError: marks[0] is null',
  '    at redraw (src/map/tides.ts:41)',
  'the log: `redraw failed`',
];
const idle = 'Happy to help with anything that is needed, and thank you all for this.';

test.each([
  ['headings', '### Environment', ['- OS: Fedora 39', '- Browser: Firefox 123.0'], '### What happens'],
  ['bold words', '**System information**', ['Kernel 6.7.4, 32.0 GB'], '**What happens**'],
  ['a longer heading', '### Environment / system info (please complete)', ['- OS: Fedora 39'], '### Seen'],
  ['words with a colon', 'Version:', ['1.87.2 (Universal)', '863d2581ecda'], 'Logs:'],
  [
    'a check list',
    '## Before you submit',
    ['- [x] I read `CONTRIBUTING.md`', '* [ ] I have a patch'],
    '## Logs',
  ],
])('leaves out what a form with %s asks of everybody', (_, heading, asked, next) => {
  const left = withoutForm([beginning, heading, ...asked, next, idle, ...telling].join('\n')).split('\n');
  for (const line of [...beginning.split('\n'), ...telling]) expect(left).toContain(line);
  for (const line of [heading, ...asked, idle]) expect(left).not.toContain(line);
});

test('leaves out comments, and a check list without a heading', () => {
  const comment = '<!-- Do not report `secrets` here.\nSee SECURITY.md -->';
  const left = withoutForm([comment, beginning, idle, '- [x] I searched for TS2345', ...telling].join('\n'));
  expect(left).toBe(['', beginning, ...telling].join('\n'));
});

test.each<readonly [string, string]>([
  ['a short report', '### Environment\nFedora 39\n- [x] searched'],
  ['a plan', [beginning, '## Steps', idle, '### Files', ...telling, idle].join('\n')],
  ['a question in one line', `${beginning} ${idle}`.replaceAll('\n', ' ')],
  ['a form that nobody filled', `### Environment\n${`${idle}\n`.repeat(8)}`],
  ['the tasks of a plan', `${beginning}\n${['- [x] Move the marks', '- [ ] Draw them last'].join('\n')}`],
  ...['## Environment variables are lost', '### Device driver', '**Version bump**', 'System clock:'].map(
    (heading) =>
      [heading, [beginning, heading, ...telling, '- [ ] Ask for the last hour'].join('\n')] as const,
  ),
  ['prose about a version', [beginning, 'The version before had them.', idle].join('\n')],
])('keeps %s as it is', (_, text) => {
  expect(withoutForm(text)).toBe(text);
});

test('reads a long text in time', () => {
  for (const text of ['<!--'.repeat(2_500), `${' '.repeat(9_000)}#`, '**a'.repeat(3_000), '# '.repeat(5_000)])
    expect(withoutForm(text)).toBe(text);
});
