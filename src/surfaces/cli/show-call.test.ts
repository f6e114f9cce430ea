import { expect, it } from 'vitest';
import { sampleCall } from '../../../test/support/calls/sample.ts';
import { draftSummary } from '../../memory/summarise/builtin/draft.ts';
import type { Io } from './io.ts';
import { callLines } from './show-call.ts';

const io: Io = {
  ...{ env: {}, cwd: '/', isTerminal: false, showsProgress: false, columns: 80 },
  ...{ out: () => {}, note: () => {}, progress: () => {} },
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

it('shows any other call and a payload that is not one', () => {
  expect(callLines(7, { tool: 'Grep', input: { pattern: 'x' }, output: '' }, false, io)).toContain(
    '<bold>pattern:</> x',
  );
  expect(callLines(7, 'torn', false, io)).toBe('torn');
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
