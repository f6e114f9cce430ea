import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Json } from '#core/event';
import { subjectsMax } from '#core/limits';
import { readCall } from '#reading/call';
import { runSubjects as run, sampleCall, subjectLines } from '../../../test/support/calls/sample.ts';
import { runs } from '../../../test/support/runs.ts';
import { subjectKey, subjectNameCharsMax, subjectsOf } from './subjects.ts';

const failed = { isError: true };

describe('files', () => {
  it.each<[string, string, Json, Json, string[]]>([
    ['Read', 'Read', { file_path: '/home/dev/shop/src/a.ts' }, 'x', ['file src/a.ts = read']],
    [
      'a read of several',
      'read_many_files',
      { paths: ['a.md', './b.md'] },
      'x',
      ['file a.md = read', 'file b.md = read'],
    ],
    ['a view', 'str_replace_editor', { command: 'view', path: 'a.md' }, 'x', ['file a.md = read']],
    [
      'Write of a new file',
      'Write',
      { file_path: 'a.txt', content: 'hello you' },
      { type: 'create' },
      ['file a.txt = created'],
    ],
    [
      'Write over a file',
      'Write',
      { file_path: 'a.txt', content: 'hello you' },
      { type: 'update' },
      ['file a.txt = changed'],
    ],
    [
      'a file outside',
      'Edit',
      { file_path: '/etc/hosts', old_string: 'a', new_string: 'b' },
      '',
      ['file /etc/hosts = changed'],
    ],
    [
      'NotebookEdit',
      'NotebookEdit',
      { notebook_path: 'n.ipynb', new_source: 'plot()' },
      '',
      ['file n.ipynb = changed'],
    ],
    [
      'OpenCode',
      'edit',
      { filePath: 'a.txt', oldString: 'on', newString: 'off' },
      {},
      ['file a.txt = changed'],
    ],
  ])('%s', (_, tool, input, output, expected) => {
    expect(subjectLines(tool, input, output)).toEqual(expected);
  });

  it('a patch changes, creates, removes and moves', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/port.ts\n@@ export function listen() {\n-  bind(8080);\n+  bind(9090);\n*** Add File: docs/ports.txt\n+nine\n*** Delete File: old.ts\n*** Update File: one.txt\n*** Move to: two.txt\n*** End Patch\n';
    const expected = [
      'file src/port.ts = changed',
      'file docs/ports.txt = created',
      'file old.ts = removed',
      'file one.txt = removed',
      'file two.txt = created',
      'symbol src/port.ts#listen = changed',
    ];
    expect(subjectLines('apply_patch', patch)).toEqual(expected);
    expect(subjectLines('shell', { command: ['apply_patch', patch] })).toEqual(expected);
  });

  it('what could not be read or edited failed', () => {
    expect(subjectLines('Read', { file_path: 'no.ts' }, 'File does not exist.', failed)).toEqual([
      'file no.ts = failed',
    ]);
    const edit = { file_path: 'a.ts', old_string: 'function a() {', new_string: 'function b() {' };
    expect(subjectLines('Edit', edit, 'String not found', failed)).toEqual(['file a.ts = failed']);
  });

  it('commands that show, write, remove and move files', () => {
    expect(run('sed -n 1,20p src/a.ts && cat docs/b.md | head -3')).toEqual([
      'file src/a.ts = read',
      'file docs/b.md = read',
    ]);
    expect(run('rm -f old.ts && git mv a.ts "src/b.ts"').slice(0, 3)).toEqual([
      'file old.ts = removed',
      'file a.ts = removed',
      'file src/b.ts = created',
    ]);
    expect(run("cat > conf/a.toml <<'END'\nport = 1\nEND")).toEqual(['file conf/a.toml = created']);
    expect(run("sed -i '' '3s/Target agent/Target/' src/a.ts")[0]).toBe('file src/a.ts = changed');
    expect(run('sed -i s/a/b/ src/a.ts')).toEqual([
      'file src/a.ts = changed',
      'command sed -i s/a/b/ src/a.ts = passed',
    ]);
  });
});

describe('symbols', () => {
  it('are the one around a change and those that come and go', () => {
    const before = 'class Cart {\n  total() {\n    return 1;\n  }\n}\nfunction old() {}';
    const after = 'class Cart {\n  total() {\n    return 2;\n  }\n}\nfunction fresh() {}';
    expect(subjectLines('Edit', { file_path: 'cart.js', old_string: before, new_string: after })).toEqual([
      'file cart.js = changed',
      'symbol cart.js#total = changed',
      'symbol cart.js#old = removed',
      'symbol cart.js#fresh = created',
    ]);
  });

  it('come from several edits of one file, and from a new file', () => {
    const edits = [
      { old_string: 'def a():\n  x', new_string: 'def a():\n  y' },
      { old_string: 'z', new_string: 'def b():\n  z' },
    ];
    expect(subjectLines('MultiEdit', { file_path: 'm.py', edits })).toEqual([
      'file m.py = changed',
      'symbol m.py#a = changed',
      'symbol m.py#b = created',
    ]);
    const content = '# Tides\n\nWords.\n\n## Setting up\n';
    expect(subjectLines('write_file', { file_path: 'a.md', content })).toEqual([
      'file a.md = created',
      'symbol a.md#Tides = created',
      'symbol a.md#Setting up = created',
    ]);
  });
});

describe('commands, pages, queries, decisions', () => {
  it('a command is named without its plumbing', () => {
    expect(run('cd web && PORT=81 node server.js --quick 2>&1', 'up')).toEqual([
      'command node server.js --quick = passed',
    ]);
    expect(run('node migrate.js', 'Error: no', failed)).toEqual(['command node migrate.js = failed']);
    expect(run('git status --short; sleep 3; npm install', 'x')).toEqual([
      'command git status --short = none',
      'command npm install = passed',
    ]);
    expect(run('ls -la; echo hi && pwd')).toEqual([]);
  });

  it('grep is a query in every tool', () => {
    expect(run('grep -rn "retry after" src | head')).toEqual(['query retry after = none']);
    expect(subjectLines('Grep', { pattern: 'retryAfter', path: 'src' })).toEqual(['query retryAfter = none']);
    expect(subjectLines('WebSearch', { query: 'sqlite live backup' })).toEqual([
      'query sqlite live backup = none',
    ]);
  });

  it('a page is its address', () => {
    expect(subjectLines('WebFetch', { url: 'https://example.org/a#b', prompt: 'why?' })).toEqual([
      'page https://example.org/a = read',
    ]);
    expect(
      subjectLines('web_fetch', { prompt: 'Read https://example.org/a, then say' }, 'no', failed),
    ).toEqual(['page https://example.org/a = failed']);
    expect(subjectLines('mcp__browser__navigate', { url: 'https://example.org' })).toEqual([
      'page https://example.org = read',
    ]);
  });

  it('answers, accepted plans and commits are decisions', () => {
    const question = { questions: [{ question: 'Which store?' }] };
    const expected = ['decision Which store? = none', 'decision Which store? -> SQLite = none'];
    expect(subjectLines('AskUserQuestion', question, 'User has answered: "Which store?"="SQLite".')).toEqual(
      expected,
    );
    expect(subjectLines('AskUserQuestion', question, { answers: { 'Which store?': 'SQLite' } })).toEqual(
      expected,
    );
    const codex = { questions: [{ id: 'store', question: 'Which store?' }] };
    const given = JSON.stringify({ answers: { store: { answers: ['SQLite'] } } });
    expect(subjectLines('request_user_input', codex, given)).toEqual(expected);
    const answers = { 'Which store?': '(notes only)' };
    const annotations = { 'Which store?': { notes: 'SQLite', preview: 'a table' } };
    expect(subjectLines('AskUserQuestion', question, { answers, annotations })).toEqual(expected);
    const single = { question: 'Which store?', choices: ['SQLite (Recommended)', 'a file'] };
    expect(subjectLines('ask_user', single, 'User selected: SQLite (Recommended)')).toEqual(expected);
    const away = 'User responded: The user is not available to respond and will review your work later.';
    expect(subjectLines('ask_user', single, away)).toEqual([]);
    expect(subjectLines('ExitPlanMode', { plan: '# Move carts\n\nFirst.' }, 'approved')).toEqual([
      'decision Move carts = none',
    ]);
    expect(subjectLines('ExitPlanMode', { plan: '# Move carts' }, 'no', failed)).toEqual([]);
    expect(run('git commit -am "Pin node"')).toEqual([
      'decision Pin node = none',
      'command git commit = passed',
    ]);
    expect(run('git commit -am "Pin node"', 'hook', failed)).toEqual(['command git commit = failed']);
  });
});

describe('any payload', () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value)));
  const keys = 'command file_path content old_string new_string edits questions plan pattern path url'.split(
    ' ',
  );
  const input = fc.oneof(json, fc.dictionary(fc.constantFrom(...keys), fc.oneof(json, fc.string())));
  const tool = fc.constantFrom('Bash', 'Edit', 'Write', 'Read', 'Grep', 'WebFetch', 'AskUserQuestion', 'odd');

  test('has bounded subjects, each once, the same each time', () => {
    fc.assert(
      fc.property(tool, input, json, (name, given, output) => {
        const payload = sampleCall(name, given, output);
        const subjects = subjectsOf(readCall(payload));
        expect(subjects.length).toBeLessThanOrEqual(subjectsMax);
        expect(new Set(subjects.map(subjectKey)).size).toBe(subjects.length);
        for (const subject of subjects) expect(subject.name.length).toBeLessThanOrEqual(subjectNameCharsMax);
        expect(subjectsOf(readCall({ ...payload }))).toEqual(subjects);
      }),
      { numRuns: runs(100) },
    );
  });

  test('takes no time that grows faster than the payload', () => {
    const hostile = [
      'cd a && ',
      '("',
      '| tail ',
      '$(',
      "'",
      'A=1 ',
      '> a ',
      '; ',
      'timeout 1 ',
      '1 failed 0 errors ',
    ];
    for (const part of hostile) {
      const text = part.repeat(Math.floor(24_000 / part.length));
      expect(run(text, text).length).toBeLessThanOrEqual(subjectsMax);
      expect(run('npm test | tail', text).length).toBeLessThanOrEqual(subjectsMax);
    }
  });
});

test('a key is 52 bits of kind and name', () => {
  const key = subjectKey({ kind: 'file', name: 'src/a.ts' });
  expect(key).toBe(0x7e2b0 * 0 + key);
  // What is stored is found again only as long as this stays as it is.
  expect(key).toBe(0x79c9e1491cbe8);
  expect(Number.isSafeInteger(key)).toBe(true);
  expect(key).toBeLessThan(2 ** 52);
  expect(subjectKey({ kind: 'symbol', name: 'src/a.ts' })).not.toBe(key);
});
