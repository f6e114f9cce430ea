import os from 'node:os';
import { expect, test } from 'vitest';
import type { Json } from '#core/event';
import { patternLookUp } from '#guard/boundary';
import { callWrites } from '#guard/writes';
import { concerns } from './concerns.ts';

const root = os.tmpdir();

function isAbout(on: string, form: string, tool: string, input: Json): boolean {
  const call = { tool, input, cwd: root };
  const setting = { cwd: root, home: os.homedir(), env: {}, top: null, lookUp: patternLookUp() };
  return concerns({ on, form }, call, callWrites(call, setting), root);
}

test.each([
  ['npm install', 'npm install left-pad', true],
  ['npm install', 'cd web && CI=1 npm install 2>&1 | tail -3', true],
  ['git push --force', 'git push origin main --force', true],
  ['git push --force', 'git push origin main', false],
  ['echo', 'git status && echo done | cat', true],
  ['npm install', 'sudo /usr/bin/npm install', true],
  ['./deploy.sh', './deploy.sh now', true],
  ['npm', 'npm', true],
  ['npm install', 'npm', false],
  ['npm install', 'sudo', false],
  ['npm install', 'pnpm install', false],
  ['npm install', 'echo npm install', false],
  ['npm install', 'git commit -m "npm install"', false],
])('the command %s is about `%s`: %s', (form, command, is) => {
  expect(isAbout('command', form, 'Bash', { command })).toBe(is);
  expect(isAbout('command', form, 'Write', { file_path: 'a', content: command })).toBe(false);
});

test.each([
  ['src/gen/**', 'Write', { file_path: `${root}/src/gen/a.ts`, content: '' }, true],
  ['src/gen/**', 'Edit', { file_path: 'src/x/../gen/a.ts', old_string: 'a', new_string: 'b' }, true],
  ['src/gen/**', 'Bash', { command: 'echo x > src/gen/a.ts' }, true],
  [
    'src/gen/**',
    'apply_patch',
    { input: '*** Begin Patch\n*** Update File: src/gen/a.ts\n*** End Patch' },
    true,
  ],
  ['*.sql', 'Write', { file_path: 'db/schema.sql', content: '' }, true],
  ['src/gen/**', 'Read', { file_path: 'src/gen/a.ts' }, false],
  ['src/gen/**', 'Bash', { command: 'cat src/gen/a.ts' }, false],
  ['src/gen/**', 'Write', { file_path: 'src/generate.ts', content: '' }, false],
])('the path %s is about %s %j: %s', (form, tool, input, is) =>
  expect(isAbout('path', form, tool, input)).toBe(is),
);

test.each([
  ['Co-Authored-By', 'Bash', { command: 'git commit -m "x\n\nCo-authored-by: y"' }, true],
  ['console.log', 'Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'console.log(1)' }, true],
  ['console.log', 'Edit', { file_path: 'a.ts', old_string: 'console.log(1)', new_string: 'x' }, false],
  [
    'console.log',
    'apply_patch',
    { input: '*** Begin Patch\n-console.log(1)\n+log.info(1)\n*** End Patch' },
    false,
  ],
  ['any', 'Write', { file_path: 'any.ts', content: 'many' }, false],
  ['any', 'MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'x', new_string: 'as any;' }] }, true],
])('the word %s is about %s %j: %s', (form, tool, input, is) =>
  expect(isAbout('word', form, tool, input)).toBe(is),
);
