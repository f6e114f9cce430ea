import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { TestProject, verdictOf } from '../../../test/support/boundary/scope.ts';
import { runs } from '../../../test/support/runs.ts';
import { judge } from './judge.ts';
import { findScopeContext } from './scope-context.ts';
import { plain } from './target.ts';

let at: TestProject;
afterEach(() => at.remove());

const scope = { allow: ['src/**', 'docs/*.md'], deny: ['**/.env*', 'src/secret/**'] };

describe('one path', () => {
  test.each([
    ['src/a.ts', 'allowed'],
    ['src/new/deep/a.ts', 'allowed'],
    ['./src/./a.ts', 'allowed'],
    ['src/../src/a.ts', 'allowed'],
    ['docs/a.md', 'allowed'],
    ['/dev/null', 'allowed'],
    ['docs/sub/a.md', 'allow'],
    ['a.ts', 'allow'],
    ['src/../a.ts', 'allow'],
    ['src/nowhere/../../a.ts', 'allow'],
    ['../project/src/a.ts', 'allowed'],
    ['../project-evil/src/a.ts', 'allow'],
    ['../outside.ts', 'allow'],
    ['/etc/passwd', 'allow'],
    ['src-evil/a.ts', 'allow'],
    ['SRC/a.ts', 'allow'],
    ['~/src/a.ts', 'allow'],
    ['src/.env', 'deny'],
    ['src/.ENV.local', 'deny'],
    ['src/secret/a', 'deny'],
    ['src/Secret/new/a', 'deny'],
    ['src/x/../secret/a', 'deny'],
    ['../.env', 'deny'],
    ['.memd/scope.json', 'scope'],
    ['.memd/../.memd/./scope.json', 'scope'],
    ['.MEMD/Scope.JSON', 'scope'],
    ['.memd', 'scope'],
    ['.memd/', 'scope'],
    ['src/\u0000.ts', 'allowed'],
    [`src/${'x'.repeat(5_000)}`, 'allowed'],
    [`${'a/../'.repeat(2_000)}etc`, 'allow'],
  ])('%s: %s', (text, verdict) => {
    at = new TestProject(scope);
    fs.mkdirSync(path.join(at.root, 'src/secret'), { recursive: true });
    expect(at.verdict(text)).toBe(verdict);
    if (!text.startsWith('~')) expect(at.verdict(path.resolve(at.root, text))).toBe(verdict);
  });

  test('is counted from the folder that the tool works in', () => {
    at = new TestProject(scope);
    at.file('src/a.ts');
    expect(at.verdict('a.ts', { cwd: path.join(at.root, 'src') })).toBe('allowed');
    expect(at.verdict('../a.ts', { cwd: path.join(at.root, 'src') })).toBe('allow');
    expect(at.verdict('src/a.ts', { cwd: at.folder })).toBe('allow');
  });

  test('may be a file: address', () => {
    at = new TestProject(scope);
    expect(at.verdict(`file://${at.root}/src/a%20b.ts`)).toBe('allowed');
    expect(at.verdict(`file://${at.root}/src/%2eenv`)).toBe('deny');
    expect(at.verdict('file://elsewhere/x')).toBe('allow');
  });
});

describe('symbolic links', () => {
  test('lead where they lead, at any level, there yet or not', () => {
    at = new TestProject(scope);
    fs.mkdirSync(path.join(at.root, 'src/inner'), { recursive: true });
    fs.mkdirSync(path.join(at.folder, 'outside'));
    at.link('src/out', at.folder);
    at.link('src/relative', '../../outside');
    at.link('src/dangling', '../made-later.ts');
    at.link('src/chain', 'out');
    at.link('src/env', '.env');
    at.link('link', 'src/inner');
    at.link('src/scope', '../.memd/scope.json');
    at.link('src/memd', '../.memd');
    at.link('src/loop', 'loop');
    const verdicts = Object.entries({
      'src/out/a': 'allow',
      'src/out/project/src/a': 'allowed',
      'src/relative/new/deep': 'allow',
      'src/dangling': 'allow',
      'src/chain/a': 'allow',
      'src/env': 'deny',
      'link/a.ts': 'allowed',
      'src/scope': 'scope',
      'src/memd/scope.json': 'scope',
      'src/memd/../.memd/scope.json': 'scope',
      'src/loop': 'loop',
      'src/loop/a': 'loop',
    });
    for (const [text, verdict] of verdicts) expect(at.verdict(text), text).toBe(verdict);
  });

  test('followed by `..` must be allowed by both readings', () => {
    at = new TestProject(scope);
    fs.mkdirSync(path.join(at.folder, 'outside/deep'), { recursive: true });
    fs.mkdirSync(path.join(at.root, 'src'));
    at.link('src/link', '../../outside/deep');
    expect(at.verdict('src/link/../a.ts')).toBe('allow');
  });

  test('to the project, or to a folder above it, change nothing', () => {
    at = new TestProject(scope);
    const link = path.join(at.folder, 'link');
    fs.symlinkSync(at.root, link);
    expect(at.verdict('src/a.ts', { cwd: link })).toBe('allowed');
    expect(at.verdict(`${link}/.memd/scope.json`)).toBe('scope');
  });

  test('in place of the scope file protect what they lead to', () => {
    at = new TestProject(null);
    at.file('rules/mine.json', '{"deny": ["**/.env"]}');
    at.link('.memd/scope.json', '../rules/mine.json');
    expect(at.verdict('rules/mine.json')).toBe('scope');
    expect(at.verdict('.memd/scope.json')).toBe('scope');
    expect(at.verdict('rules/other.json')).toBe('allowed');
  });
});

test('a hard link to the scope file is the scope file; to another file it cannot be seen', () => {
  at = new TestProject({ deny: ['secret'] });
  at.file('secret');
  fs.linkSync(at.scopeFile, path.join(at.root, 'other.json'));
  fs.linkSync(path.join(at.root, 'secret'), path.join(at.root, 'public'));
  expect(at.verdict('other.json')).toBe('scope');
  expect(at.verdict('public')).toBe('allowed');
});

describe('whole trees', () => {
  test('that hold the scope file are protected', () => {
    at = new TestProject({ deny: ['x'] });
    fs.mkdirSync(path.join(at.root, 'src'));
    for (const text of ['.', '..', '../..', '/', '.memd', './src/..', at.root]) {
      expect(at.verdict(text, { effect: 'tree' }), text).toBe('scope');
      expect(at.verdict(text, { effect: 'into' }), text).toBe('scope');
    }
    expect(at.verdict('src', { effect: 'tree' })).toBe('allowed');
    expect(at.verdict('.', { effect: 'folder' })).toBe('allowed');
  });

  test('are held against deny with all that is in them', () => {
    at = new TestProject({ deny: ['**/.env'] });
    at.file('config/deep/.env');
    at.file('src/a.ts');
    expect(at.verdict('config', { effect: 'tree' })).toBe('deny');
    expect(at.verdict('src', { effect: 'tree' })).toBe('allowed');
  });

  test('may be made above what is allowed', () => {
    at = new TestProject({ allow: ['src/deep/*.ts'] });
    expect(at.verdict('src/deep', { effect: 'folder' })).toBe('allowed');
    expect(at.verdict('src/deep', { effect: 'write' })).toBe('allow');
    expect(at.verdict('other', { effect: 'folder' })).toBe('allow');
  });
});

describe('which rules', () => {
  test('a scope that is off or invalid denies nothing', () => {
    for (const text of [null, '{"deny": ["**"],}', '// x', '']) {
      at = new TestProject(text);
      expect(at.context.scope.state).toBe(text === null ? 'off' : 'invalid');
      expect(at.verdict('.memd/scope.json')).toBe('allowed');
      at.remove();
    }
  });

  test('a linked working tree has its repository’s, counted from itself', () => {
    at = new TestProject({ allow: ['src/**'] });
    const git = (...args: string[]): void => {
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
      const env = { PATH: process.env.PATH, HOME: at.folder, GIT_CONFIG_NOSYSTEM: '1' };
      execFileSync('git', [...who, ...args], { cwd: at.root, env, stdio: 'pipe' });
    };
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const tree = path.join(at.folder, 'tree');
    git('worktree', 'add', '-q', tree);
    const context = findScopeContext({ HOME: at.folder }, path.join(tree));
    expect(context).toMatchObject({ file: at.scopeFile, roots: [at.root, tree] });
    const verdict = (text: string): string =>
      verdictOf(
        judge(
          [{ kind: 'path', effect: 'write', piece: plain(text), at: { from: [tree], isDoubtful: false } }],
          context,
        ),
      );
    expect([verdict('src/a'), verdict('a'), verdict('../project/src/a'), verdict(at.scopeFile)]).toEqual([
      'allowed',
      'allow',
      'allowed',
      'scope',
    ]);
  });
});

test('nothing that a path can be made of throws, and `..` never leads around the rules', () => {
  at = new TestProject({ allow: ['src/**'], deny: ['**/.env'] });
  fs.mkdirSync(path.join(at.root, 'src/a'), { recursive: true });
  at.link('src/up', '..');
  const part = fc.constantFrom(
    '..',
    '.',
    '',
    'src',
    'a',
    'up',
    '.env',
    '.memd',
    'scope.json',
    '~',
    '\u0000',
    'é',
    'new',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), fc.boolean(), (parts, isAbsolute) => {
      const text = `${isAbsolute ? `${at.root}/` : ''}${parts.join('/')}`;
      const verdict = at.verdict(text);
      const lexical = path.resolve(at.root, text);
      if (verdict !== 'allowed' || text === '') return;
      expect(lexical.startsWith(`${at.root}/src`)).toBe(true);
      expect(path.basename(lexical)).not.toBe('.env');
    }),
    { numRuns: runs(300) },
  );
});
