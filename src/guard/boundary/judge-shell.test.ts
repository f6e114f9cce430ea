import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { TestProject, verdictOf } from '../../../test/support/boundary/scope.ts';
import { judge } from './judge.ts';
import { plain, type Target } from './target.ts';

let at: TestProject;
afterEach(() => at.remove());

describe('what a shell does', () => {
  const here = (): Target['at'] => ({ from: [at.root], isDoubtful: false });
  const verdict = (target: Target): string => verdictOf(judge([target], at.context));
  const copy = (to: string, ...sources: string[]): string =>
    verdict({ kind: 'copy', at: here(), sources: sources.map(plain), to: plain(to) });

  test('a pattern is what it finds', () => {
    at = new TestProject({ deny: ['**/.env', 'b[1]'] });
    for (const name of ['.env', 'a.ts', 'b[1]', 'sub/.env']) at.file(name);
    const verdicts = Object.entries({
      '*': 'deny',
      '.e*': 'deny',
      '*.ts': 'allowed',
      '?.ts': 'allowed',
      '*/.env': 'deny',
      '*/.e?v': 'deny',
      '.[!a]nv': 'deny',
      '[!a].ts': 'allowed',
      'su[a-b]/*': 'allowed',
      'nothing*': 'allowed',
    });
    for (const [pattern, expected] of verdicts) {
      const piece = { text: pattern, pattern };
      expect(verdict({ kind: 'path', effect: 'tree', piece, at: here() }), pattern).toBe(expected);
    }
  });

  test('a pattern that would take for ever stands for all that is there', () => {
    at = new TestProject({ deny: ['**/.env'] });
    const [endless, long] = [`${'*a'.repeat(12)}*b`, `*${'a'.repeat(70_000)}`];
    for (const name of ['a'.repeat(200), 'sub/.env']) at.file(name);
    for (const pattern of [endless, long]) {
      const piece = { text: pattern, pattern };
      expect(verdict({ kind: 'path', effect: 'write', piece, at: here() })).toBe('scope');
    }
    const target = { kind: 'found', at: here(), starts: [plain('sub')], names: [endless] } as const;
    at.file(`sub/${'a'.repeat(200)}`);
    expect(verdict(target)).toBe('deny');
    expect(verdict({ ...target, names: ['*-*-*-*-*'] })).toBe('allowed');
  });

  test('what is put into a folder has its own name there', () => {
    at = new TestProject({ deny: ['**/.env', 'out/secret/**'] });
    for (const name of ['.env', 'a', 'tree/secret/b', 'more/.memd/scope.json', 'out/x']) at.file(name);
    expect(copy('out', 'a')).toBe('allowed');
    expect(copy('b', '.env')).toBe('deny');
    expect(copy('b.txt', 'a')).toBe('allowed');
    expect(copy('out', '.env')).toBe('deny');
    expect(copy('new/', '.env')).toBe('deny');
    expect(copy('not-yet', '.env')).toBe('deny');
    expect(copy('out', 'tree/secret')).toBe('deny');
    expect(copy('out', 'tree/.')).toBe('deny');
    expect(copy('elsewhere', 'tree')).toBe('allowed');
    expect(copy('.', 'more/.')).toBe('scope');
    expect(copy('.', 'more/.memd')).toBe('scope');
    expect(copy('.memd/scope.json')).toBe('scope');
    expect(
      verdict({ kind: 'copy', at: here(), sources: [plain('.env')], to: plain('b'), isLink: true }),
    ).toBe('deny');
  });

  test('a search removes what it finds', () => {
    at = new TestProject({ deny: ['**/.env'] });
    for (const name of ['src/a.pyc', 'src/.env', 'b.pyc']) at.file(name);
    const found = (start: string, ...names: string[]): string =>
      verdict({ kind: 'found', at: here(), starts: [plain(start)], names });
    expect(found('.', '*.pyc')).toBe('allowed');
    expect(found('.', '.e*')).toBe('deny');
    expect(found('.', 'scope.json')).toBe('scope');
    expect(found('.')).toBe('scope');
    expect(found('src')).toBe('deny');
  });

  test('a patch file is read for the names in it', () => {
    at = new TestProject({ allow: ['src/**'], deny: ['**/.env'] });
    const diff = (from: string, to: string): string => `--- ${from}\n+++ ${to}\n@@ -1 +1 @@\n-a\n+b\n`;
    at.file('good.diff', diff('a/src/x', 'b/src/x'));
    at.file('bad.diff', diff('a/src/x', 'b/src/x') + diff('/dev/null', 'b/src/.env'));
    at.file('out.diff', diff('a/../x', 'b/../x'));
    at.file('scope.diff', diff('a/.memd/scope.json', 'b/.memd/scope.json'));
    const patch = (file: string, cwd = at.root): string =>
      verdict({
        kind: 'patch',
        at: { from: [cwd], isDoubtful: false },
        file: plain(file),
        strip: 1,
        folder: '',
      });
    expect(patch('good.diff')).toBe('allowed');
    expect(patch('bad.diff')).toBe('deny');
    expect(patch('out.diff')).toBe('allow');
    expect(patch('scope.diff')).toBe('scope');
    expect(patch('missing.diff')).toBe('allowed');
    expect(patch('/dev/zero')).toBe('allowed');
    fs.mkdirSync(path.join(at.root, 'src'));
    expect(patch('../scope.diff', path.join(at.root, 'src'))).toBe('scope');
  });

  test('of several folders the one that is there is meant, and all of them when it is not', () => {
    at = new TestProject({ deny: ['config/prod'] });
    fs.mkdirSync(path.join(at.root, 'there'));
    const from = (...names: string[]) => ({
      from: names.map((name) => path.join(at.root, name)),
      isDoubtful: false,
    });
    const write = (where: Target['at']): string =>
      verdict({ kind: 'path', effect: 'write', piece: plain('config/prod'), at: where });
    expect(write(from('there', ''))).toBe('allowed');
    expect(write(from('nowhere', ''))).toBe('deny');
    expect(write({ ...from('there', ''), isDoubtful: true })).toBe('deny');
    expect(write({ from: [], isDoubtful: false })).toBe('allowed');
  });
});
