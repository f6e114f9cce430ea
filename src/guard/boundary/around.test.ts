import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { TestProject, verdictOf } from '../../../test/support/boundary/scope.ts';
import { judge } from './judge.ts';
import { findScopeContext } from './scope-context.ts';
import { plain } from './target.ts';

let at: TestProject;
afterEach(() => at.remove());

/** The verdict on a path, for a session that was started in a folder of the project. */
function verdictFrom(start: string, text: string): string {
  const folder = path.join(at.root, start);
  const target = {
    kind: 'path',
    effect: 'write',
    piece: plain(text),
    at: { from: [folder], isDoubtful: false },
  } as const;
  return verdictOf(judge([target], findScopeContext({ HOME: at.folder }, folder)));
}

describe('rules around a folder', () => {
  test.each(['.git', '.memd'])('a %s inside of the project does not switch them off', (inner) => {
    at = new TestProject({ deny: ['secret/**', '**/.env'] });
    fs.mkdirSync(path.join(at.root, 'nested', inner), { recursive: true });
    expect(verdictFrom('nested', '../secret/a')).toBe('deny');
    expect(verdictFrom('nested', '.env')).toBe('deny');
    expect(verdictFrom('nested', '../.memd/scope.json')).toBe('scope');
    expect(verdictFrom('nested', 'a')).toBe('allowed');
  });

  test('hold together with those inside, which hold for the files there', () => {
    at = new TestProject({ deny: ['nested/out/**'] });
    at.file('nested/.memd/scope.json', '{"allow": ["in/**", "out/**"]}');
    expect(verdictFrom('nested', 'in/a')).toBe('allowed');
    expect(verdictFrom('nested', 'out/a')).toBe('deny');
    expect(verdictFrom('nested', 'b')).toBe('allow');
    expect(verdictFrom('', 'b')).toBe('allowed');
    expect(verdictFrom('', 'nested/b')).toBe('allow');
    expect(verdictFrom('', 'nested/.memd/scope.json')).toBe('scope');
  });

  test('that cannot be understood switch no others off', () => {
    at = new TestProject({ deny: ['**/.env'] });
    at.file('nested/.memd/scope.json', '{');
    expect(verdictFrom('nested', '.env')).toBe('deny');
  });

  test('are not those of HOME, nor of a folder where everybody may write', () => {
    at = new TestProject(null);
    at.file('../.memd/scope.json', '{"deny": ["**"]}');
    at.file('open/.memd/scope.json', '{"deny": ["**"]}');
    fs.chmodSync(path.join(at.root, 'open'), 0o1777);
    fs.mkdirSync(path.join(at.root, 'open/project/.git'), { recursive: true });
    expect(verdictFrom('open/project', 'a')).toBe('allowed');
  });
});
