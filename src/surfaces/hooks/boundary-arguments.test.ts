import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../core/event/index.ts';
import { decide } from './boundary-decision.ts';

let project: string;
beforeAll(() => {
  project = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-decide-')));
  fs.mkdirSync(path.join(project, '.memd'));
  fs.mkdirSync(path.join(project, '.git'));
  fs.mkdirSync(path.join(project, 'src'));
  fs.writeFileSync(path.join(project, '.memd/scope.json'), '{"allow": ["src/**"], "deny": ["**/.env"]}');
});
afterAll(() => fs.rmSync(project, { recursive: true, force: true }));

const isDenied = (payload: JsonObject): boolean => decide(payload, [project], undefined).answer !== null;

const call = (tool_name: string, tool_input: JsonObject): JsonObject => ({
  ...{ hook_event_name: 'PreToolUse', tool_name, tool_input, session_id: 's', tool_use_id: 't' },
  cwd: project,
});

// A name may hold a line end, and some tools leave out what cannot be seen.
test.each<[string, JsonObject]>([
  ['Write', { file_path: 'lib/x\nsrc/a.ts' }],
  ['Write', { file_path: 'src/x\n/.env' }],
  ['Write', { file_path: 'src/x\u2028y/.env' }],
  ['Write', { file_path: 'src/.env\n' }],
  ['Write', { file_path: ' src/.env\t' }],
  ['Write', { file_path: 'src/.env\u0000.ts' }],
  ['Write', { file_path: 'src/.e\u200bnv' }],
  ['Write', { file_path: 'src/.env.' }],
  ['Write', { file_path: 'src/\u202e.env\r' }],
  ['NotebookEdit', { notebook_path: 'lib/a.ipynb', new_source: 'src/a' }],
  ['edit_notebook', { target_notebook: 'a.ipynb', new_string: '' }],
  ['create_file', { filePath: 'a\nb', content: '' }],
  ['mcp__x__rename', { source: 'secret', destination: 'src/a' }],
  ['mcp__x__update', { document: './a' }],
  ['mcp__x__delete', { location: 'lib/a.md' }],
])('a path is read as one: %s %j', (tool, input) => expect(isDenied(call(tool, input))).toBe(true));

test.each<[string, JsonObject]>([
  ['NotebookEdit', { notebook_path: 'src/a.ipynb', new_source: 'print(1)' }],
  ['NotebookEdit', { notebook_path: 'src/a.ipynb', new_source: 'a.py', cell_id: 'x' }],
  ['mcp__jupyter__insert_cell', { cell_index: 1, cell_source: 'df.head()' }],
  ['mcp__jupyter__edit_cell', { path: 'src/a.ipynb', source: 'import a\nprint(a)' }],
  ['mcp__serena__replace_symbol_body', { name_path: 'Mill/grind', relative_path: 'src/a', body: '' }],
  ['mcp__calendar__create_event', { title: 'Talk', location: 'Room 5' }],
  ['mcp__mongo__insert-many', { database: 'd', collection: 'c', documents: [{ path: '/x' }] }],
  ['mcp__gitlab__create_or_update_file', { project_id: '7', file_path: 'a', content: '' }],
  ['mcp__x__set_value', { target: 'production', source: 'manual' }],
  ['insert_edit_into_file', { filePath: 'src/a', code: 'x', explanation: 'in a' }],
  ['edit_file', { target_file: 'src/a', instructions: 'as in lib/a', code_edit: 'x' }],
  ['write_to_file', { TargetFile: 'src/a', CodeContent: 'x', EmptyFile: false }],
  ['replace', { file_path: 'src/a', instruction: 'a', old_string: 'b', new_string: 'c' }],
  ['Write', { file_path: 'src/My notes.md', content: '' }],
  ['Write', { file_path: 'src/a\nb.ts', content: '' }],
])('content is not read as a path: %s %j', (tool, input) => expect(isDenied(call(tool, input))).toBe(false));
