import { expect, it } from 'vitest';
import { sampleCall } from '../../../test/support/calls/sample.ts';
import { draftSummary } from '../../memory/summarise/builtin/draft.ts';
import type { Io } from './io.ts';
import { callLines } from './show-call.ts';

const io: Io = {
  ...{ env: {}, cwd: '/', isTerminal: false, showsProgress: false, columns: 80 },
  ...{ out: () => {}, raw: () => {}, note: () => {}, progress: () => {} },
  style: (style, text) => `<${String(style)}>${text}</>`,
};

it('shows an edit as a diff, and counts its lines as the summary does: blank and moved lines too', () => {
  const input = {
    file_path: '/home/dev/shop/a.ts',
    old_string: 'import b;\nimport a;\nstart();\nstop();\nleave();',
    new_string: 'import a;\nimport b;\n\nrun();\nwalk();\nhide();\nleave();',
  };
  const payload = { tool: 'Edit', input, output: 'ok', cwd: '/home/dev/shop' };
  const lines = callLines(7, payload, false, io).split('\n');
  const signs = (colour: string): number =>
    lines.slice(1).filter((line) => line.startsWith(`<${colour}>`)).length;
  expect(lines[0]).toBe('<bold>a.ts</>  edited  <green>+5</> <red>-3</>');
  expect([signs('green'), signs('red')]).toEqual([5, 3]);
  expect(draftSummary(sampleCall('Edit', input, 'ok')).text).toContain('+5 -3 lines');
});

it('shows a command with its output folded, and how it ended', () => {
  const output = {
    stdout: Array.from({ length: 100 }, (_, at) => `line ${at}\u001b[2J`).join('\n'),
    exitCode: 3,
  };
  const payload = { tool: 'Bash', input: { command: 'npm test' }, output, isError: true };
  const folded = callLines(7, payload, false, io);
  expect(folded).toContain('<bold>$ npm test</>');
  expect(folded).toContain('<dim>… 60 more lines: mem show 7 --full</>');
  expect(folded.endsWith('<red>exit 3</>')).toBe(true);
  expect(folded).not.toMatch(/\u001b/);
  expect(callLines(7, payload, true, io)).toContain('line 50');
});

it('shows what an edit asked for, not its arguments, and that it was not done', () => {
  const edit = (more: object, output: string, isError = false) =>
    callLines(
      7,
      { tool: 'edit', input: { path: 'a.ts', old_str: 'run', new_str: 'walk', ...more }, output, isError },
      false,
      io,
    ).split('\n');
  expect(edit({ replace_all: false, expected_replacements: 1, dry_run: false }, 'ok')).toEqual([
    '<bold>a.ts</>  edited  <green>+1</> <red>-1</>',
    '<red>-run</>',
    '<green>+walk</>',
  ]);
  expect(edit({ replaceAll: true, dry_run: true }, 'ok')[0]).toContain('edited, each occurrence, a dry run');
  expect(edit({ expected_replacements: 3 }, 'ok')[0]).toContain('edited, 3 places');
  expect(edit({ replace_all: false }, 'no match', true)).toEqual([
    '<bold>a.ts</>  not changed  <green>+1</> <red>-1</>',
    '<red>-run</>',
    '<green>+walk</>',
    '',
    'no match',
    '<red>failed</>',
  ]);
});

it.each([
  [{ filePath: '/shop/a.ts', offset: 0, limit: 40 }, ', lines 1 to 40'],
  [{ path: '/shop/a.ts', view_range: [5, -1], forceReadLargeFiles: true }, ', from line 5'],
  [{ file_path: '/shop/a.ts', start_line: 3, end_line: 9 }, ', lines 3 to 9'],
  [{ file_path: '/shop/a.ts' }, ''],
])('shows which lines of a file were read: %j', (input, lines) => {
  const read = callLines(7, { tool: 'Read', input, output: 'x', cwd: '/shop' }, false, io);
  expect(read).toBe(`<bold>a.ts</>${lines}\nx`);
});

it('shows any other call and a payload that is not one', () => {
  expect(
    callLines(7, { tool: 'Grep', input: { pattern: 'x', outputMode: 'y' }, output: '' }, false, io),
  ).toContain('<bold>pattern:</> x\n<bold>output mode:</> y');
  expect(callLines(7, 'torn', false, io)).toBe('torn');
});

it('shows a plan as its steps', () => {
  const todos = ['completed', 'in_progress', 'pending'].map((status) => ({
    content: `is ${status}`,
    status,
  }));
  const payload = { tool: 'todowrite', input: { todos }, output: JSON.stringify(todos) };
  expect(callLines(7, payload, false, io)).toBe('[x] is completed\n[>] is in_progress\n[ ] is pending');
});

it('shows a question with what it offered and the answer', () => {
  const question = 'The hook blocks old issues. How do we proceed?';
  const asked = { question, header: 'Hook', options: [{ label: 'Skip it' }, { label: 'Fix them' }] };
  const payload = { tool: 'AskUserQuestion', input: { questions: [asked] } };
  const answered = { ...payload, output: { questions: [asked], answers: { [question]: 'fix the issues' } } };
  expect(callLines(7, answered, false, io).split('\n')).toEqual([
    question,
    '<dim>  offered   Skip it · Fix them</>',
    '  answered  <bold>fix the issues</>',
  ]);
  const refused = { ...payload, isError: true, output: 'the user said:\nnot now' };
  expect(callLines(7, refused, false, io)).toContain('not now');
});
