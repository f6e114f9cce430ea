import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToLimits, identify, type Json, type JsonObject, type Observation } from '#core/event';
import { toolNameCharsMax } from '#core/limits';
import { claudeHooks, copilotHooks } from '../../../test/support/clients/hooks.ts';
import { adapt, type Context } from './index.ts';

const context: Context = { receivedAt: '2026-05-04T03:02:02Z', cwd: '/elsewhere' };

function observed(payload: Json, client?: string): Observation {
  const adapted = adapt(payload, { ...context, client });
  if (adapted.kind === 'ignored') throw new Error(`ignored: ${adapted.reason}`);
  return adapted.observation;
}

describe('the plain shape', () => {
  it('is taken as it is, with defaults for what it leaves out', () => {
    expect(observed({ tool: 'Read', input: { file: 'a' }, output: 'text' })).toEqual({
      tool: 'Read',
      input: { file: 'a' },
      output: 'text',
      sessionId: '',
      toolUseId: null,
      ts: '2026-05-04T03:02:02.000Z',
      client: 'generic',
      isError: false,
      cwd: '/elsewhere',
    });
  });

  it('keeps an observation that was adapted before as it is', () => {
    const first = observed(claudeHooks.bashFailed);
    expect(observed({ op: 'capture', ...first })).toEqual(first);
  });

  it('takes its client from the payload, else from the hook', () => {
    expect(observed({ tool: 'T', input: {}, output: '', client: 'codex' }, 'cursor').client).toBe('codex');
    expect(observed({ tool: 'T', input: {}, output: '', client: 'nobody' }, 'cursor').client).toBe('cursor');
  });

  it('is not lost to fields of wrong types', () => {
    const payload = {
      tool: 'T',
      input: 7,
      output: null,
      sessionId: 12,
      toolUseId: [],
      ts: {},
      isError: 'no',
      cwd: 1,
    };
    expect(observed(payload)).toMatchObject({
      input: 7,
      output: null,
      sessionId: '12',
      toolUseId: null,
      isError: false,
      cwd: '/elsewhere',
    });
  });

  it('keeps a result that stands under another name', () => {
    expect(observed({ tool: 'T', input: {}, result: 'kept' }).output).toEqual({ result: 'kept' });
  });

  it.each([
    ['2026-05-04T05:02:01+02:00', '2026-05-04T03:02:01.000Z'],
    ['2026-05-04T03:02:01', '2026-05-04T03:02:01.000Z'],
    [Date.UTC(2026, 4, 4), '2026-05-04T00:00:00.000Z'],
    ['5', '2026-05-04T03:02:02.000Z'],
    [Number.MAX_VALUE, '2026-05-04T03:02:02.000Z'],
  ])('reads the time %s as %s', (ts, expected) => {
    expect(observed({ tool: 'T', input: {}, output: '', ts }).ts).toBe(expected);
  });

  it('bounds names, and leaves ids whole', () => {
    const long = 'x'.repeat(10_000);
    const seen = observed({ tool: long, input: {}, output: '', sessionId: long, toolUseId: long });
    expect([seen.tool.length, seen.sessionId, seen.toolUseId]).toEqual([toolNameCharsMax, long, long]);
  });

  it.each([
    [7, '7'],
    [1.5, '1.5'],
    // What JSON's reader makes of 9007199254740992 and of 9007199254740993.
    [2 ** 53, null],
    [Number.POSITIVE_INFINITY, null],
    [{ a: 1 }, null],
    ['', null],
  ])('takes %j for the call id %j', (toolUseId, expected) => {
    expect(observed({ tool: 'T', input: {}, output: '', toolUseId }).toolUseId).toBe(expected);
  });
});

describe('what is ignored', () => {
  it.each<[JsonObject, string, string]>([
    [{ hook_event_name: 'PreToolUse', session_id: 's1', tool_name: 'Bash' }, 's1', 'PreToolUse'],
    [
      { hook_event_name: 'beforeShellExecution', conversation_id: 's2', command: 'ls' },
      's2',
      'beforeShellExecution',
    ],
    [{ sessionId: 's3', timestamp: 1, cwd: '/', toolName: 'bash', toolArgs: '{}' }, 's3', 'preToolUse'],
    [{ input: { tool: 'bash', sessionID: 's4' }, output: { args: {} } }, 's4', 'tool.execute.before'],
    [{ hook_event_name: 'Stop' }, '', 'Stop'],
    [{ tool: 'mem_search', input: {}, output: '', sessionId: 's5' }, 's5', 'own-tool'],
  ])('has its session and event where known: %j', (payload, sessionId, event) => {
    const adapted = adapt(payload, context);
    expect(adapted).toMatchObject({ kind: 'ignored' });
    if (adapted.kind === 'ignored') expect([adapted.sessionId, adapted.event]).toEqual([sessionId, event]);
  });

  it.each([
    'PreToolUse',
    'PermissionRequest',
    'SessionStart',
    'UserPromptSubmit',
    'Stop',
    'PostCompact',
    'PostToolBatch',
    'BeforeTool',
    'AfterAgent',
    'beforeShellExecution',
  ])('the event %s', (event) => {
    const payload = { ...claudeHooks.bash, hook_event_name: event };
    for (const client of [undefined, 'claude-code', 'codex', 'cursor', 'generic']) {
      expect(adapt(payload, { ...context, client }).kind).toBe('ignored');
    }
  });

  it.each<[string, JsonObject]>([
    [
      'Copilot CLI, before a call',
      { sessionId: 's', timestamp: 1, cwd: '/', toolName: 'view', toolArgs: {} },
    ],
    ['Copilot CLI, a start', { sessionId: 's', timestamp: 1, cwd: '/', source: 'new', initialPrompt: 'hi' }],
    [
      'OpenCode, before a call',
      { input: { tool: 'bash', sessionID: 's', callID: 'c' }, output: { args: {} } },
    ],
    ['OpenCode, its bus', { id: 'e', type: 'session.idle', properties: { sessionID: 's' } }],
  ])('%s', (_, payload) => {
    expect(adapt(payload, context).kind).toBe('ignored');
  });

  it.each([
    'mem_search',
    'mem_anything',
    'mcp__memd__mem_why',
    'mcp__plugin_memd_memd__mem_get',
    'mcp_memd_mem_timeline',
    'memd-mem_search',
    'memd_mem_search',
  ])('the own tool %s', (tool) => {
    expect(adapt({ tool, input: {}, output: '' }, context).kind).toBe('ignored');
  });

  it.each(['mcp__host__mem_usage', 'member_search', 'Bash'])('but not the tool %s', (tool) => {
    expect(adapt({ tool, input: {}, output: '' }, context).kind).toBe('observation');
  });
});

describe('an unknown shape', () => {
  it.each<[string, Json, string]>([
    ['a later event', { hook_event_name: 'PostEverything', tool_name: 'Bash', result: 1 }, 'Bash'],
    ['Cline’s', { taskId: 't', postToolUse: { toolName: 'read', result: 'x', success: true } }, 'read'],
    ['Windsurf’s', { agent_action_name: 'post_run_command', tool_info: {} }, 'post_run_command'],
    ['a post-tool event without a name', { hook_event_name: 'PostToolUse', tool_response: 'x' }, 'unknown'],
    ['an empty object', {}, 'unknown'],
    ['a list', [1, 2], 'unknown'],
    ['null', null, 'unknown'],
  ])('is kept whole: %s', (_, payload, tool) => {
    expect(observed(payload)).toMatchObject({ client: 'unknown', tool, output: payload });
  });

  it.each([
    ['apply_patch verification failed: Failed to find expected lines in /p/mill.ts', true],
    ['patch rejected: writing outside of the project', true],
    ['Success. Updated the following files:\nM mill.ts\napply_patch verification failed: once', false],
  ])('takes from Codex the call that answers %j as failed: %s', (output, isError) => {
    const payload = { hook_event_name: 'PostToolUse', session_id: 's', turn_id: 't', cwd: '/p' };
    const patch = {
      tool_name: 'apply_patch',
      tool_input: { command: '*** Begin Patch' },
      tool_response: output,
    };
    expect(observed({ ...payload, ...patch }).isError).toBe(isError);
  });

  it('is tried under every shape when the named client does not fit', () => {
    expect(observed(claudeHooks.bash, 'opencode').client).toBe('claude-code');
    expect(observed(claudeHooks.bash, 'codex').client).toBe('codex');
  });
});

it('stores no images, only their type and size', () => {
  const data = 'iVBORw0K'.repeat(100);
  const output = {
    content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
    file: { base64: data, type: 'image/png' },
    stdout: `see data:image/png;base64,${data} there`,
    stderr: `//# sourceMappingURL=data:image/png;charset=utf-8;base64,${data}`,
    data: 'short',
  };
  const text = JSON.stringify(observed({ tool: 'Read', input: {}, output }).output);
  expect(text).not.toContain(data);
  expect(text.match(/\[image\/png, 600 bytes of base64, not stored\]/g)).toHaveLength(4);
  expect(text).toContain('short');
});

describe('properties', () => {
  it('never throws, and what it gives can be cut and identified', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const payload: Json = JSON.parse(JSON.stringify(value));
        const adapted = adapt(payload, context);
        if (adapted.kind === 'observation') identify(cutToLimits(adapted.observation));
      }),
    );
  });

  it('never loses a post-tool payload, whatever its other fields hold', () => {
    const event = fc.constantFrom<JsonObject>(
      ...['PostToolUse', 'PostToolUseFailure', 'AfterTool', 'postToolUse', 'afterShellExecution'].map(
        (name) => ({
          hook_event_name: name,
        }),
      ),
      { toolName: 'view', toolResult: {} },
      { input: { tool: 'bash', sessionID: 's' }, output: '' },
    );
    const keys = fc.constantFrom(
      ...['tool_name', 'tool_input', 'tool_response', 'tool_result', 'error', 'session_id', 'tool_use_id'],
      ...['tool_call_id', 'turn_id', 'timestamp', 'cwd', 'output', 'sessionId', 'client', 'x', '__proto__'],
    );
    const fields = fc.array(fc.tuple(keys, fc.jsonValue({ maxDepth: 3 })));
    const client = fc.constantFrom(undefined, 'claude-code', 'codex', 'copilot-cli', 'opencode', 'generic');
    fc.assert(
      fc.property(event, fields, client, (seen, more, named) => {
        const text = JSON.stringify({ ...Object.fromEntries(more), ...seen });
        expect(adapt(JSON.parse(text), { ...context, client: named }).kind).toBe('observation');
      }),
    );
  });

  it('ends on nesting that no stack could hold', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    for (const payload of [
      deep,
      { tool: 'T', input: deep, output: deep },
      { ...claudeHooks.edit, tool_input: { edits: deep }, tool_response: { edits: deep } },
      { ...claudeHooks.bashFailed, error: deep },
      { ...copilotHooks.bashFailed, toolArgs: '['.repeat(200_000) + ']'.repeat(200_000) },
    ]) {
      expect(JSON.stringify(observed(payload))).toContain('nested deeper');
    }
  });
});
