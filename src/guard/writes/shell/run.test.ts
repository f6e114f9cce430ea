import { describe, expect, test } from 'vitest';
import { shellPiecesMax } from '#core/limits';
import { unread } from '#guard/boundary';
import { shellWrites } from './run.ts';

const setting = { cwd: '/app', home: '/home/me', env: process.env };

/** The paths, copies left out. */
function paths(command: string): string[] {
  return shellWrites(command, setting).flatMap((one) => (one.kind === 'path' ? [one.piece.text] : []));
}

test.each([
  'go test -short -count=1 -cover ./...',
  'go test -json -coverprofile=c.out ./...',
  'gcc -fno-common -fomit-frame-pointer -c a.c',
  'rustc -Copt-level=3 a.rs',
  "wget --spider -R 'index*' https://x/a",
])('%s names no file that it writes', (command) => expect(paths(command)).toEqual([]));

test('an expression of yq is no file, with its subcommand or without', () => {
  expect(paths("yq -i '.a = 1' f.yml; yq eval -i '.a = 1' g.yml; yq -i e '.a = 1' h.yml")).toEqual([
    'f.yml',
    'g.yml',
    'h.yml',
  ]);
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'a variable named %s, like a property of every object, is not set',
  (name) => {
    expect(paths(`rm $${name} "\${${name}}/a" a`)).toEqual([unread.any, `${unread.any}/a`, 'a']);
    expect(paths(`rm \${${name}:-b}`)).toEqual(['b']);
  },
);

test('a pattern from a loop is looked up in quotes as well; a quoted star is a name', () => {
  const pieces = (command: string) =>
    shellWrites(command, setting).map((one) => (one.kind === 'path' ? one.piece : null));
  expect(pieces('for f in *.log; do rm "a*/$f"; done; f() { rm "$1"; }; f .e*; rm "*" "[a]"')).toEqual([
    { text: 'a*/*.log', pattern: 'a\\*/*.log' },
    { text: '.e*', pattern: '.e*' },
    { text: '*', pattern: null },
    { text: '[a]', pattern: null },
  ]);
});

test.each(['_', 'OLDPWD'])('the value of $%s in the hook is not that in the shell', (name) => {
  const env = { [name]: '/outside', OTHER: '/set' };
  expect(shellWrites(`cd $${name} && touch b; touch $OTHER/c`, { ...setting, env })).toMatchObject([
    { piece: { text: 'b' }, at: { from: [unread.any] } },
    { piece: { text: '/set/c' } },
  ]);
});

test('`cd -- folder` goes there', () => {
  expect(shellWrites('cd -- sub && rm a', setting)).toMatchObject([{ at: { from: ['/app/sub'] } }]);
});

// The test's own timeout is the only clock: without limits each of these takes many seconds, all memory or a stack.
describe('a line beyond the limits ends, and what stands before is found', () => {
  const loops = (depth: number, body: string): string =>
    `${'for a in {1..1000}; do '.repeat(depth)}${body}${'; done'.repeat(depth)}`;
  test.each<[string, string]>([
    ['alternatives of alternatives', `rm ${'{1..1000}'.repeat(5_000)}`],
    ['loops in loops over many words', loops(5, 'echo {1..1000}')],
    ['loops in loops over many paths', loops(3, 'rm {1..1000}')],
    ['a variable that doubles', `F=aaaaaaaa; ${'F=$F$F; '.repeat(60)}rm $F`],
    ['a variable that doubles in a loop', `F=a; ${loops(1, 'F=$F$F')}; rm $F`],
    ['a text that grows and is run', `F=true; ${'F="$F; $F"; '.repeat(14)}${loops(2, 'eval "$F"')}`],
    ['links upon links', `${loops(2, 'ln -sfn out l')}; ${loops(2, 'rm l/a')}`],
    ['substitutions in substitutions', `echo ${'"$('.repeat(4_000)}rm a`],
    ['a function that calls itself twice', 'f() { f; f; }; f'],
  ])('%s', (_, line) => {
    const found = shellWrites(`rm .env; ${line}`, setting);
    expect(found[0]).toMatchObject({ kind: 'path', piece: { text: '.env' } });
    expect(found.length).toBeLessThanOrEqual(shellPiecesMax);
  });
});

test('what may double with each command, or needs a costly pattern, is any text', () => {
  const grow = ['X+=$X', 'printf -v X %s%s "$X" "$X"', 'X=$X$X', 'X=$(echo "$X$X")'];
  for (const step of grow) {
    const [first, second] = paths(`X=a; ${`${step};`.repeat(64)} rm b "$X"`);
    expect(first).toBe('b');
    expect(second).toContain(unread.any);
  }
  const long = 'a'.repeat(2_000);
  expect(paths(`X=${long}; rm \${X//a*a*a*b/} \${X%%*a*a*a*b} b`)).toEqual([unread.any, unread.any, 'b']);
});

test('with CDPATH a folder may be another one, with GLOBIGNORE patterns find hidden names', () => {
  const [target] = shellWrites('CDPATH=/x; cd a && rm b', setting);
  expect(target?.at.from).toEqual([unread.any, '/app/a']);
  expect(shellWrites('GLOBIGNORE=x; rm *', setting)).toMatchObject([{ piece: { isLoose: true } }]);
});

test('a variable that a form sets which is not modelled may hold any text', () => {
  const forms = ['getopts a: X', 'printf -v X a', 'let X=1', 'declare -n X=Y', 'declare -u X=a'];
  for (const form of forms) expect(paths(`X=b; ${form}; rm "$X"`), form).toEqual([unread.any]);
  expect(paths('OPTARG=b; getopts a: o; rm "$OPTARG"')).toEqual([unread.any]);
});

test('what a line writes behind a limit is unknown, and what stands before is known', () => {
  for (const line of ['cd a; '.repeat(10_000), 'true; '.repeat(30_000), 'eval "'.repeat(30)]) {
    expect(paths(`rm b; ${line}`).slice(0, 2)).toEqual(['b', unread.any]);
  }
});
