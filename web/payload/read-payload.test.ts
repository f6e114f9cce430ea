import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/event/json.ts';
import { readPayload } from './read-payload.ts';

describe('a payload by the family of its tool', () => {
  it('is a command with its output, error output and exit', () => {
    const output = { stdout: 'one\n', stderr: 'two', exitCode: 3 };
    expect(readPayload({ tool: 'Bash', input: { command: 'ls', description: 'look' }, output })).toEqual({
      kind: 'command',
      command: 'ls',
      note: 'look',
      out: 'one\n',
      err: 'two',
      exit: 3,
    });
    const codex = readPayload({ tool: 'shell', input: { command: ['git', 'status'] }, output: 'clean' });
    expect(codex).toMatchObject({ command: 'git status', out: 'clean', exit: null });
  });

  it('is a diff, from what was replaced, from the hunks of the answer or from a patch', () => {
    const input = { file_path: '/a.ts', old_string: 'x\ny', new_string: 'x\nz' };
    expect(readPayload({ tool: 'Edit', input, output: 'ok' })).toMatchObject({
      kind: 'diff',
      files: [{ path: '/a.ts', added: 1, removed: 1 }],
    });
    const output = {
      structuredPatch: [{ oldStart: 4, oldLines: 1, newStart: 4, newLines: 2, lines: [' x', '+y'] }],
    };
    const hunks = readPayload({ tool: 'Edit', input, output });
    expect(hunks).toMatchObject({ files: [{ added: 1, removed: 0 }] });
    expect(hunks.kind === 'diff' && hunks.files[0]?.lines[0]?.text).toBe('@@ -4,1 +4,2 @@');
    const patch = '*** Begin Patch\n*** Update File: src/b.ts\n@@\n-a\n+b\n*** End Patch';
    expect(readPayload({ tool: 'apply_patch', input: { input: patch }, output: '' })).toMatchObject({
      files: [{ path: 'src/b.ts', added: 1, removed: 1 }],
    });
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' },
    ];
    const many = readPayload({ tool: 'MultiEdit', input: { file_path: 'c', edits }, output: null });
    expect(many).toMatchObject({ files: [{ path: 'c', added: 2, removed: 2 }] });
    expect(
      readPayload({ tool: 'Write', input: { file_path: 'n', content: '1\n2\n' }, output: null }),
    ).toMatchObject({
      files: [{ path: 'n', added: 2, removed: 0 }],
    });
  });

  it('is what was read, with its place', () => {
    const file = { filePath: '/a', content: 'text', startLine: 11, numLines: 20 };
    expect(readPayload({ tool: 'Read', input: { file_path: '/a' }, output: { file } })).toEqual({
      kind: 'read',
      path: '/a',
      range: 'lines 11 to 30',
      text: 'text',
    });
  });

  it('is a question with what it offered and the answer', () => {
    const question = 'Skip the hook?';
    const input = { questions: [{ question, options: [{ label: 'Skip' }, { label: 'Fix' }] }] };
    const tool = 'AskUserQuestion';
    expect(readPayload({ tool, input, output: { answers: { [question]: 'Fix' } } })).toEqual({
      kind: 'page',
      asked: [
        { name: 'question', value: question },
        { name: 'offered', value: 'Skip · Fix' },
        { name: 'answer', value: 'Fix' },
      ],
      text: '',
    });
    expect(readPayload({ tool, input, output: 'not now' })).toMatchObject({ text: 'not now' });
    // Codex gives JSON text, by the question's id.
    const codex = { questions: [{ id: 'hook', question }] };
    const output = JSON.stringify({ answers: { hook: { answers: ['Fix'] } } });
    expect(readPayload({ tool: 'request_user_input', input: codex, output })).toEqual({
      kind: 'page',
      asked: [
        { name: 'question', value: question },
        { name: 'answer', value: 'Fix' },
      ],
      text: '',
    });
  });

  it('is a search with what it asked and found, a page, a plan', () => {
    const grep = { tool: 'Grep', input: { pattern: 'x', '-n': true }, output: { filenames: ['a', 'b'] } };
    expect(readPayload(grep)).toEqual({
      kind: 'search',
      asked: [
        { name: 'pattern', value: 'x' },
        { name: 'n', value: 'true' },
      ],
      found: 'a\nb',
    });
    const agent = {
      tool: 'Agent',
      input: { prompt: 'go' },
      output: { content: [{ type: 'text', text: 'went' }] },
    };
    expect(readPayload(agent)).toMatchObject({ kind: 'page', text: 'went' });
    const todos = [{ content: 'do', status: 'completed' }];
    expect(readPayload({ tool: 'TodoWrite', input: { todos }, output: null })).toEqual({
      kind: 'plan',
      items: [{ text: 'do', status: 'completed' }],
    });
  });

  it('is plain where the tool or the form is not known', () => {
    expect(readPayload({ tool: 'mcp__x__y', input: { a: 1 }, output: null })).toEqual({ kind: 'plain' });
    expect(readPayload({ tool: 'Bash', input: {}, output: null })).toEqual({ kind: 'plain' });
    expect(readPayload({ tool: 'Edit', input: [], output: null })).toEqual({ kind: 'plain' });
    expect(readPayload(null)).toEqual({ kind: 'plain' });
  });

  it('reads anything without a complaint', () => {
    const tool = fc.constantFrom(
      'Bash',
      'Edit',
      'Read',
      'Grep',
      'WebFetch',
      'Agent',
      'TodoWrite',
      '__proto__',
      'x',
    );
    fc.assert(
      fc.property(tool, fc.jsonValue(), fc.jsonValue(), (name, input, output) => {
        const payload: Json = JSON.parse(JSON.stringify({ tool: name, input, output }));
        expect(readPayload(payload).kind).toBeTypeOf('string');
      }),
    );
  });
});
