import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '#core/event';
import {
  claudeHooks,
  codexHooks,
  copilotHooks,
  cursorHooks,
  geminiHooks,
  opencodeHooks,
  qwenHooks,
} from '../../../test/support/clients/hooks.ts';
import { adapt, type Context } from './index.ts';

const context: Context = { receivedAt: '2026-05-04T03:02:02Z', cwd: '/elsewhere' };

function observed(payload: Json): Observation {
  const adapted = adapt(payload, context);
  if (adapted.kind === 'ignored') throw new Error(`ignored: ${adapted.reason}`);
  return adapted.observation;
}

describe('Claude Code', () => {
  it('keeps the structure of a shell result', () => {
    expect(observed(claudeHooks.bash)).toMatchObject({
      client: 'claude-code',
      tool: 'Bash',
      output: { stdout: 'ground 3 sacks', stderr: '' },
      sessionId: claudeHooks.bash.session_id,
      toolUseId: 'toolu_a1',
      isError: false,
      cwd: '/home/ada/mill',
    });
  });

  it('marks a failed call, with the error as output', () => {
    expect(observed(claudeHooks.bashFailed)).toMatchObject({
      isError: true,
      output: 'Exit code 2\nmake: *** no rule for bake',
    });
  });

  it('stores the change of an edit, not the file nor the input again', () => {
    const { output } = observed(claudeHooks.edit);
    expect(output).toEqual({
      filePath: '/home/ada/mill/wheel.txt',
      structuredPatch: claudeHooks.edit.tool_response.structuredPatch,
    });
    expect(Object.keys(Object(observed(claudeHooks.write).output))).toEqual([
      'type',
      'filePath',
      'structuredPatch',
    ]);
  });

  it('keeps what the response says otherwise than the input', () => {
    const response = { ...claudeHooks.write.tool_response, content: 'white, formatted\n' };
    expect(observed({ ...claudeHooks.write, tool_response: response }).output).toMatchObject({
      content: 'white, formatted\n',
    });
  });

  it('keeps a result under a name that a later version may give it', () => {
    const { tool_response: result, ...rest } = claudeHooks.bash;
    expect(observed({ ...rest, tool_output: result }).output).toEqual({ tool_output: result });
  });
});

describe('Codex', () => {
  it('reads failure from the header of the result or from MCP, not from a program’s words', () => {
    expect(observed(codexHooks.bash)).toMatchObject({
      client: 'codex',
      toolUseId: 'call_b1',
      isError: false,
    });
    expect(observed(codexHooks.patch).isError).toBe(true);
    expect(observed(codexHooks.mcp).isError).toBe(true);
    const said = 'log of yesterday\nExit code: 9\n';
    expect(observed({ ...codexHooks.bash, tool_response: said }).isError).toBe(false);
  });
});

describe('Gemini CLI and Qwen Code', () => {
  it('read the shell’s exit status', () => {
    expect(observed(geminiHooks.shell)).toMatchObject({
      client: 'gemini-cli',
      isError: true,
      output: 'Output: no rule\nExit Code: 2\nProcess Group PGID: 7',
      ts: '2026-05-04T03:02:01.500Z',
    });
    expect(observed(qwenHooks.shellFailed)).toMatchObject({ client: 'qwen-code', isError: true });
  });

  it('keep the diff and drop the whole files', () => {
    for (const hook of [geminiHooks.replace, qwenHooks.edit]) {
      const text = JSON.stringify(observed(hook).output);
      expect(text).toContain('fileDiff');
      expect(text).not.toMatch(/wheel of (oak|elm)/);
    }
  });

  it('read an error’s message', () => {
    expect(observed(geminiHooks.failed)).toMatchObject({ isError: true, output: 'File not found: gone.txt' });
  });

  it('give the call id that the transcript has too', () => {
    expect(observed(qwenHooks.edit).toolUseId).toBe('call_d1');
  });
});

describe('Copilot CLI', () => {
  it('parses arguments that come as text, and reads failure from the shell’s trailer', () => {
    expect(observed(copilotHooks.bashFailed)).toMatchObject({
      client: 'copilot-cli',
      input: { command: 'make bake' },
      isError: true,
      ts: '2026-05-04T03:02:01.500Z',
    });
    expect(observed(copilotHooks.viewFailed)).toMatchObject({ isError: true, output: 'Path does not exist' });
    expect(observed(copilotHooks.pascal)).toMatchObject({
      client: 'copilot-cli',
      tool: 'bash',
      isError: false,
    });
  });

  it('leaves a patch as text', () => {
    const hook = { ...copilotHooks.bashFailed, toolArgs: '*** Begin Patch' };
    expect(observed(hook).input).toBe('*** Begin Patch');
    expect(observed({ ...hook, toolArgs: '{not json' }).input).toBe('{not json');
  });
});

describe('OpenCode', () => {
  it('keeps what the metadata repeats once', () => {
    expect(observed(opencodeHooks.bash)).toMatchObject({
      client: 'opencode',
      tool: 'bash',
      sessionId: 'ses_e1',
      toolUseId: 'call_e1',
      isError: true,
      output: { output: 'no rule\n', metadata: { exit: 2, truncated: false } },
    });
    expect(observed(opencodeHooks.edit).output).toMatchObject({
      metadata: { diff: '-oak\n+elm\n', filediff: { file: 'wheel.txt' } },
    });
    expect(JSON.stringify(observed(opencodeHooks.edit).output)).not.toContain('patch');
  });
});

describe('Cursor', () => {
  it('is understood in all four events', () => {
    expect(observed(cursorHooks.shell)).toMatchObject({
      client: 'cursor',
      tool: 'Shell',
      input: { command: 'make grind' },
      output: 'ground',
      sessionId: 'f1',
      cwd: '/home/ada/mill',
    });
    expect(observed(cursorHooks.mcp)).toMatchObject({ input: { port: 'Hull' }, output: { tide: 'high' } });
    expect(observed(cursorHooks.edit)).toMatchObject({ tool: 'Edit', input: { file_path: 'wheel.txt' } });
    expect(observed(cursorHooks.use)).toMatchObject({ tool: 'Read', output: 'elm', toolUseId: 'use_1' });
  });
});
