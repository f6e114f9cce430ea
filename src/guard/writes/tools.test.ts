import { expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { callWrites } from './index.ts';

const setting = { cwd: '/app', home: '/home/me', env: {}, top: '/app' };

/** The paths that a call surely writes. */
function written(tool: string, input: JsonObject): string[] {
  return callWrites({ tool, input }, setting).flatMap((target) =>
    target.kind === 'path' && target.onlyIfThere !== true ? [target.piece.text] : [],
  );
}

test.each<[string, JsonObject, string[]]>([
  ['mcp__fs__rename_file', { old_path: 'a', new_path: 'b' }, ['a', 'b']],
  ['mcp__fs__rename_file', { oldName: 'lib/a', newName: 'lib/b' }, ['lib/a', 'lib/b']],
  ['mcp__fs__rename', { old: './a', new: './b' }, ['./a', './b']],
  ['mcp__ide__renameFile', { path: 'src/a.ts', newName: '../lib/b.ts' }, ['src/a.ts', 'lib/b.ts']],
  ['mcp__ide__rename_file', { file: 'lib/a.ts', new_name: 'b.ts' }, ['lib/a.ts', 'lib/b.ts']],
  ['mcp__fs__move_files', { moves: [{ from: 'src/a', to: 'lib/b' }] }, ['src/a', 'lib/b']],
  ['mcp__fs__move_directory', { source: './a', target: 'lib/a' }, ['./a', 'lib/a']],
  ['mcp__fs__duplicate_file', { path: 'src/a', target: 'lib/b' }, ['lib/b']],
  ['mcp__fs__swap_files', { a_path: 'a', b_path: 'b' }, ['a', 'b']],
  ['mcp__jetbrains__reformat_file', { path: 'a.ts' }, ['a.ts']],
  ['mcp__ide__format', { path: 'a.ts' }, ['a.ts']],
  ['mcp__ide__prettify', { files: ['a.ts', 'b.ts'] }, ['a.ts', 'b.ts']],
  ['mcp__ide__organize_imports', { file: 'a.ts' }, ['a.ts']],
  ['mcp__x__inject_code', { file: 'a.ts', code: 'b.ts' }, ['a.ts']],
])('%s %j writes %j', (tool, input, expected) => {
  expect(written(tool, input)).toEqual(expect.arrayContaining(expected));
});

test.each<[string, JsonObject]>([
  ['mcp__ide__rename_symbol', { symbol: 'Cart', newName: 'Basket' }],
  ['mcp__linear__move_issue', { id: 'A-1', to: 'Done' }],
  ['mcp__x__duplicate_check', { path: 'src/a' }],
  ['mcp__x__check_format', { path: 'src/a' }],
  ['mcp__x__format_date', { date: '2026-01-01', pattern: 'a/b' }],
  ['mcp__x__mouse_move', { x: 1, y: 2 }],
  ['mcp__x__lint_file', { file: 'src/a' }],
])('%s %j writes nothing', (tool, input) => {
  expect(written(tool, input)).toEqual([]);
});
