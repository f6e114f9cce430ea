import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#core/event';
import { preToolShapes } from '../../../test/support/pre-tool-payloads.ts';
import { runs } from '../../../test/support/runs.ts';
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

describe('tools that write are denied where they may not', () => {
  const patch = '*** Begin Patch\n*** Update File: src/a\n*** Move to: b\n*** End Patch';
  const diff = '--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n';
  test.each<[string, JsonObject]>([
    ['Write', { file_path: 'a', content: '' }],
    ['Edit', { file_path: 'a', old_string: '', new_string: '' }],
    ['MultiEdit', { file_path: 'src/.env', edits: [] }],
    ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: '' }],
    ['apply_patch', { command: patch }],
    ['apply_patch', { input: patch }],
    ['patch', { patchText: patch }],
    ['patch', { diff }],
    ['write_file', { file_path: 'a' }],
    ['replace', { file_path: 'a' }],
    ['create', { path: 'a', file_text: '' }],
    ['str_replace_editor', { command: 'str_replace', path: 'a' }],
    ['edit', { filePath: 'a' }],
    ['edit_file', { target_file: 'a', instructions: '' }],
    ['write_to_file', { TargetFile: 'a' }],
    ['delete_file', { target_file: 'a' }],
    ['multi_replace_string_in_file', { replacements: [{ filePath: 'src/a' }, { filePath: 'b' }] }],
    ['mcp__files__write_file', { path: 'a', content: '' }],
    ['mcp__files__move_file', { source: 'a', destination: 'src/a' }],
    ['mcp__files__create_directory', { path: 'a' }],
    ['mcp_files_delete_file', { path: 'a' }],
    ['files-edit_file', { path: 'a' }],
    ['mcp__files__writeMultiple', { files: [{ path: 'src/a' }, { path: 'b' }] }],
    ['mcp__x__copy_file', { source: '/etc/hosts', destination: 'a' }],
    ['mcp__x__save', { uri: 'file:///etc/a' }],
    ['Bash', { command: 'echo > a' }],
    ['Shell', { command: ['bash', '-lc', 'echo > a'] }],
    ['shell', { command: ['apply_patch', patch] }],
    ['shell', { command: ['rm', 'a b'] }],
    ['exec_command', { cmd: 'rm a' }],
    ['bash', { command: 'rm ../a', workdir: `/nowhere/${'x'}` }],
    ['run_shell_command', { command: 'rm ../a', directory: 'src' }],
    ['mcp__term__run_command', { command: 'rm a' }],
    // A `cd` that fails leaves the shell where it was.
    ['Bash', { command: 'cd src/nowhere; rm ../a' }],
    ['Bash', { command: 'cd src/nowhere && true; rm ../a' }],
    ['Bash', { command: '{ cd src/nowhere; rm ../a; } && true' }],
  ])('%s %j', (tool, input) => expect(isDenied(call(tool, input))).toBe(true));

  test('also where the arguments are a list, or a text', () => {
    const odd = (tool: string, tool_input: Json): JsonObject => ({ ...call(tool, {}), tool_input });
    expect(isDenied(odd('Write', [{ file_path: 'a' }]))).toBe(true);
    expect(isDenied(odd('Bash', 'touch a'))).toBe(true);
    expect(isDenied(odd('Write', null))).toBe(false);
  });

  test.each<[string, JsonObject]>([
    ['Write', { file_path: 'src/a', content: 'rm a; .env' }],
    ['Read', { file_path: '/etc/passwd' }],
    ['str_replace_editor', { command: 'view', path: '/etc/passwd' }],
    ['apply_patch', { command: '*** Begin Patch\n*** Add File: src/a\n+*** this is text\n*** End Patch' }],
    ['mcp__files__read_file', { path: 'a' }],
    ['mcp__github__create_or_update_file', { owner: 'o', repo: 'r', path: 'a' }],
    ['mcp__x__copy_file', { source: '/etc/hosts', destination: 'src/a' }],
    ['mcp__web__save', { uri: 'https://example.org/a' }],
    ['Task', { prompt: 'write a' }],
    ['Bash', { command: 'cat a | grep x > /dev/null 2>&1' }],
    ['Bash', { command: 'rm a', cwd: 'src' }],
    ['run_shell_command', { command: 'rm a', directory: 'src' }],
    ['Bash', { command: 'mkdir -p src/new && cd src/new && touch a' }],
    ['Bash', { command: 'mkdir -p src/new; cd src/new/; touch a' }],
    ['Bash', { command: 'cd src && rm a; rm b' }],
  ])('%s %j is let through', (tool, input) => expect(isDenied(call(tool, input))).toBe(false));
});

test('no payload throws, and what is put out is whole JSON or nothing', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'src/a',
      '../a',
      '.env',
      '~',
      '\u0000',
      '',
      '*** Add File: a',
      'rm a',
      '{"path":"a"}',
      '[',
      'view',
    ),
    fc.string(),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.constant(null),
      fc.double(),
      fc.boolean(),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          'path',
          'file_path',
          'command',
          'edits',
          'files',
          '__proto__',
          'input',
          'cwd',
          'tool',
        ),
        tie('any'),
        { maxKeys: 4 },
      ),
    ),
  })).any;
  const keys = fc.constantFrom(
    ...[
      'hook_event_name',
      'tool_name',
      'tool_input',
      'toolName',
      'toolArgs',
      'input',
      'output',
      'cwd',
      'directory',
    ],
    ...[
      'workspace_roots',
      'agent_action_name',
      'tool_info',
      'preToolUse',
      'tool',
      'command',
      'timestamp',
      'client',
    ],
  );
  const shape = fc
    .tuple(fc.constantFrom(...preToolShapes), word)
    .map(([one, text]): Record<string, unknown> => ({ ...(one.write ?? one.command)(text, '/') }));
  fc.assert(
    fc.property(shape, fc.dictionary(keys, value, { maxKeys: 3 }), fc.boolean(), (base, more, isWhole) => {
      const payload: JsonObject = JSON.parse(JSON.stringify({ ...(isWhole ? base : {}), ...more }));
      const { answer } = decide(payload, [project], undefined);
      if (answer !== null && answer.stdout !== '') JSON.parse(answer.stdout);
    }),
    { numRuns: runs(300) },
  );
});

test('no command line throws or takes long, and no spelling of a name gets by', () => {
  const token = fc.constantFrom(
    ...[
      'rm',
      'cp',
      'mv',
      'tee',
      '>',
      '>>',
      '<<E\n',
      '|',
      '&&',
      '||',
      ';',
      '(',
      ')',
      '{',
      '}',
      '$(',
      '`',
      '"',
      "'",
      '\\',
      '\n',
    ],
    ...[
      'a',
      '.env',
      'src/a',
      '$X',
      '${X',
      '{a,b}',
      '*',
      '~',
      '-rf',
      'cd',
      'for f in',
      'do',
      'done',
      'if',
      'then',
      'fi',
    ],
    ...[
      'find . -name',
      'xargs',
      'sudo',
      'bash -c',
      'git',
      'apply',
      'eval',
      'X=a',
      'E',
      '[[',
      '))',
      'case',
      'in',
      'esac',
      '<(',
    ],
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 30 }), (tokens) => {
      decide(call('Bash', { command: tokens.join(' ') }), [project], undefined);
      decide(call('Bash', { command: tokens.join('') }), [project], undefined);
    }),
    { numRuns: runs(200) },
  );
  const spelled = fc.array(
    fc.constantFrom<(char: string) => string>(
      (char) => char,
      (char) => `\\${char}`,
      (char) => `'${char}'`,
      (char) => `"${char}"`,
      (char) => `$'\\x${char.charCodeAt(0).toString(16)}'`,
      (char) => `''${char}`,
    ),
    { minLength: 4, maxLength: 4 },
  );
  const written = fc.constantFrom<(name: string) => string>(
    (name) => `rm ${name}`,
    (name) => `true && echo x >${name}`,
    (name) => `cd src; (echo; tee < a -- ${name})`,
    (name) => `F=${name}; : > "$F"`,
    (name) => `for f in x ${name}; do rm src/$f; done`,
    (name) => `x() { cp src/a "$1"; }; x ${name}`,
    (name) => `env -i nice -n 3 dd of=${name}`,
    (name) => `echo $(mv ${name} src/b)`,
    (name) => `if x; then case $y in *) touch {src/z,${name}} ;; esac; fi`,
  );
  fc.assert(
    fc.property(spelled, written, (ways, write) => {
      const name = [...'.env'].map((char, at) => ways[at]?.(char) ?? char).join('');
      expect(isDenied(call('Bash', { command: write(name) })), write(name)).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});

test.each([
  '('.repeat(100_000),
  '$('.repeat(100_000),
  `rm ${'{a,b}'.repeat(5_000)}`,
  `${'eval '.repeat(100_000)}rm a`,
  `${'for a in {1..200}; do '.repeat(5)}rm src/$a;${'done;'.repeat(5)}`,
  'f() { f; f; }; f',
  `cp a ${'/'.repeat(100_000)}x`,
  `apply_patch <<E\n*** Add File: src/a${' '.repeat(100_000)}b\nE`,
  'rm src/a;'.repeat(50_000),
])('what is past all measure ends in time: %.20s', (command) => {
  try {
    decide(call('Bash', { command }), [project], undefined);
  } catch (error) {
    expect(error).toMatchObject({ code: 'too_slow' });
  }
});
