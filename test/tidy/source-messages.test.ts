import { expect, test } from 'vitest';
import { sourceMessages } from '../support/source-messages.ts';
import { sourceOf } from '../support/syntax.ts';

/** The messages in files with these texts, holes shown as `…`. */
function messagesIn(...texts: readonly string[]): string[] {
  const names = ['cli/commands/a.ts', 'model/index.ts', 'hook/b.ts'];
  const sources = texts.map((text, at) => sourceOf(names[at] ?? 'x.ts', text));
  return sourceMessages(sources).map(({ text }) => text.replaceAll('\u0000', '…'));
}

test.each<[string, string, string[]]>([
  ['what is thrown', "throw new Failure('code', `no ${name} here`);", ['no … here']],
  [
    'either of two',
    "new Failure('c', isFull ? 'it is full' : 'it is empty');",
    ['it is full', 'it is empty'],
  ],
  ['a part of two', "new Failure('c', `it is ${isFull ? 'full' : 'empty'}`);", ['it is full', 'it is empty']],
  ['a sum', "new Failure('c', 'it is ' + 'full');", ['it is full']],
  [
    'a variable',
    "let what = 'it is full'; what = 'it is empty'; new Failure('c', what);",
    ['it is full', 'it is empty'],
  ],
  [
    'through a function',
    "const bad = (what: string) => new Failure('c', `${file}: ${what}`); bad('it is full'); bad('gone');",
    ['…: it is full', '…: gone'],
  ],
  [
    'through two',
    "function a(w) { throw new Failure('c', w); } function b(w) { a(`it: ${w}`); } b('it is full');",
    ['it: it is full'],
  ],
  [
    'what a function gives back',
    "function why() { if (x) return 'it is full'; return 'it is empty'; } new Failure('c', why());",
    ['it is full', 'it is empty'],
  ],
  [
    'a warning of the log',
    "logger.warn({ error }, 'it is full'); logger.info('all is well');",
    ['it is full'],
  ],
  ['a note of a command', 'io.note(`memd: ${text} is full`); io.out("all is well");', ['memd: … is full']],
  ['no invariant', "throw new Error('it is full');", []],
])('%s', (_, text, expected) => expect(messagesIn(text)).toEqual(expected));

test('through a function of another room, by its import', () => {
  const text = "import { words } from '../../model/index.ts'; new Failure('c', words(404));";
  expect(messagesIn(text, 'export function words(n: number) { return `model error: ${n} today`; }')).toEqual([
    'model error: 404 today',
  ]);
});
