import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
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

const deep = (depth: number): JsonObject => (depth === 0 ? { path: 'a' } : { step: [deep(depth - 1)] });

test.each<[string, JsonObject]>([
  ['bash', { command: 'rm a', working_dir: 'lib' }],
  ['execute', { command: 'rm ../a', workingDirectory: 'src' }],
  ['use_mcp_tool', { server_name: 'fs', tool_name: 'write_file', arguments: { path: 'a' } }],
  ['use_mcp_tool', { server_name: 'fs', tool_name: 'write_file', arguments: '{"path": "a"}' }],
  ['parallel', { tool_uses: [{ recipient_name: 'functions.shell', parameters: { command: 'rm a' } }] }],
  ['new_rule', { path: 'a.md', content: '' }],
  ['mcp__x__write', { data_path: 'a' }],
  ['mcp__x__write', { output_data_file: 'a' }],
  ['mcp__x__write', { file_to_write: 'a' }],
  ['mcp__x__render', { save_as: './a' }],
  ['mcp__x__run_report', { outputs: ['./a'] }],
  ['mcp__x__run_report', { output: { path: 'a' } }],
  ['mcp__x__delete', { paths: '["src/a", "b"]' }],
  ['mcp__x__write_files', { files: [{ name: 'a' }] }],
  ['mcp__x__edit', deep(20)],
  ['mcp__x__edit', deep(200)],
  ['mcp__fs__file', { action: 'delete', path: 'a' }],
  ['Write', { file_path: 'file:/nowhere/a' }],
  ['mcp__s3__download', { bucket: 'b', key: 'k', file_path: 'a' }],
  ['mcp__x__read_and_write', { path: 'a' }],
])('the last known word of a name decides: %s %j', (tool, input) =>
  expect(isDenied(call(tool, input))).toBe(true),
);

test.each<[string, JsonObject]>([
  ['mcp__x__generate', { output: 'json' }],
  ['mcp__x__create_trip', { destination: 'Berlin' }],
  ['mcp__x__create_event', { location: 'Europe/Berlin' }],
  ['mcp__x__update', { document: 'The file lib/a is old. See .env for more.' }],
  ['mcp__bitbucket__create_pull_request', { source: 'fix/a', destination: 'release/1.2' }],
  ['mcp__redis__rename', { source: 'user/1', destination: 'user/2' }],
  ['mcp__vault__write_secret', { path: 'secret/a', data: {} }],
  ['mcp__wiki__update_page', { path: 'home/a', content: '' }],
  ['mcp__api__create', { path: '/v1/users' }],
  ['mcp__gdrive__create_file', { fileName: 'Report.pdf' }],
  ['mcp__gitlab__commit', { project_id: '1', actions: [{ action: 'create', file_path: 'a' }] }],
  ['mcp__x__read_pdf', { path: 'a.pdf' }],
  ['mcp__x__get_screenshot', { file: 'a.png' }],
  ['mcp__debug__set_breakpoint', { file: 'lib/a.ts', line: 3 }],
  ['mcp__x__convert', { input_path: 'a', output_path: 'src/b' }],
])('what is no path, or on another store, is let through: %s %j', (tool, input) =>
  expect(isDenied(call(tool, input))).toBe(false),
);
