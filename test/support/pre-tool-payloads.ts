import type { JsonObject } from '#core/event';

/** What each client's hook before a call sends, in its own shape, for a shell command and for writing a file. */
export interface PreToolShape {
  readonly client: string;
  readonly command: (command: string, cwd: string) => JsonObject;
  /** Null where the client has no hook before it writes a file. */
  readonly write: ((file: string, cwd: string) => JsonObject) | null;
  /** The reason in what the hook put out; null when it is no denial in that client's form. */
  readonly reason: (stdout: JsonObject, stderr: string) => unknown;
}

type Object = Readonly<Record<string, unknown>>;

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as Object | undefined)?.[key], value);
}

/** Claude Code's shape, which others vary. */
function named(event: string, extra: JsonObject) {
  return (tool: string, input: JsonObject, cwd: string): JsonObject => ({
    session_id: '11111111-2222-3333-4444-555555555555',
    transcript_path: '/home/me/session.jsonl',
    cwd,
    hook_event_name: event,
    tool_name: tool,
    tool_input: input,
    ...extra,
  });
}

const claude = named('PreToolUse', { permission_mode: 'default', tool_use_id: 'toolu_1' });
const codex = named('PreToolUse', { turn_id: 'turn-1', model: 'm', tool_use_id: 'call_1' });
const qwen = named('PreToolUse', {
  timestamp: '2026-01-01T00:00:00.000Z',
  tool_use_id: 't',
  tool_call_id: 'c',
});
const pi = named('PreToolUse', { tool_use_id: 'call_1' });
const gemini = named('BeforeTool', { timestamp: '2026-01-01T00:00:00.000Z' });

const byPermission = (stdout: JsonObject): unknown =>
  at(stdout, 'hookSpecificOutput', 'permissionDecision') === 'deny' &&
  at(stdout, 'hookSpecificOutput', 'hookEventName') === 'PreToolUse'
    ? at(stdout, 'hookSpecificOutput', 'permissionDecisionReason')
    : null;
const byCancel = (stdout: JsonObject): unknown => (stdout.cancel === true ? stdout.errorMessage : null);
const byDecision = (stdout: JsonObject): unknown => (stdout.decision === 'deny' ? stdout.reason : null);

export const preToolShapes: readonly PreToolShape[] = [
  {
    client: 'claude-code',
    command: (command, cwd) => claude('Bash', { command, description: 'd' }, cwd),
    write: (file, cwd) => claude('Write', { file_path: file, content: 'x' }, cwd),
    reason: byPermission,
  },
  {
    client: 'codex',
    command: (command, cwd) => codex('Bash', { command }, cwd),
    write: (file, cwd) =>
      codex('apply_patch', { command: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` }, cwd),
    reason: byPermission,
  },
  {
    client: 'qwen-code',
    command: (command, cwd) => qwen('run_shell_command', { command, is_background: false }, cwd),
    write: (file, cwd) => qwen('edit', { file_path: file, old_string: 'a', new_string: 'b' }, cwd),
    reason: byPermission,
  },
  {
    client: 'gemini-cli',
    command: (command, cwd) => gemini('run_shell_command', { command }, cwd),
    write: (file, cwd) => gemini('write_file', { file_path: file, content: 'x' }, cwd),
    reason: byDecision,
  },
  {
    client: 'copilot-cli',
    command: (command, cwd) => ({
      ...{ sessionId: 's', timestamp: 1_795_000_000_000, cwd, toolName: 'bash' },
      toolArgs: JSON.stringify({ command, description: 'd' }),
    }),
    write: (file, cwd) => ({
      ...{ sessionId: 's', timestamp: 1_795_000_000_000, cwd, toolName: 'apply_patch' },
      toolArgs: `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch\n`,
    }),
    reason: (stdout) => (stdout.permissionDecision === 'deny' ? stdout.permissionDecisionReason : null),
  },
  {
    client: 'pi',
    command: (command, cwd) => pi('bash', { command }, cwd),
    write: (file, cwd) => pi('write', { path: file, content: 'x' }, cwd),
    reason: byPermission,
  },
  {
    client: 'kilo',
    command: (command, cwd) => ({
      input: { tool: 'bash', sessionID: 'ses_1', callID: 'call_1' },
      output: { args: { command, description: 'd' } },
      directory: cwd,
    }),
    write: (file, cwd) => ({
      input: { tool: 'edit', sessionID: 'ses_1', callID: 'call_1' },
      output: { args: { filePath: file, oldString: 'a', newString: 'b' } },
      directory: cwd,
    }),
    reason: byDecision,
  },
  {
    client: 'opencode',
    command: (command, cwd) => ({
      input: { tool: 'bash', sessionID: 'ses_1', callID: 'call_1' },
      output: { args: { command, description: 'd' } },
      directory: cwd,
    }),
    write: (file, cwd) => ({
      input: { tool: 'write', sessionID: 'ses_1', callID: 'call_1' },
      output: { args: { filePath: file, content: 'x' } },
      directory: cwd,
    }),
    reason: byDecision,
  },
  {
    client: 'cursor',
    command: (command, cwd) => ({
      ...{ hook_event_name: 'beforeShellExecution', conversation_id: 'c', command, cwd },
      workspace_roots: [cwd],
    }),
    write: (file, cwd) => ({
      ...{ hook_event_name: 'preToolUse', conversation_id: 'c', tool_name: 'Write', workspace_roots: [cwd] },
      tool_input: JSON.stringify({ file_path: file, content: 'x' }),
    }),
    reason: (stdout) =>
      stdout.permission === 'deny' && stdout.agent_message === stdout.user_message
        ? stdout.agent_message
        : null,
  },
  {
    client: 'cline',
    command: (command, cwd) => ({
      ...{ hookName: 'PreToolUse', taskId: 't', workspaceRoots: [cwd] },
      preToolUse: { toolName: 'execute_command', parameters: { command } },
    }),
    write: (file, cwd) => ({
      ...{ hookName: 'PreToolUse', taskId: 't', workspaceRoots: [cwd] },
      preToolUse: { toolName: 'write_to_file', parameters: { path: file, content: 'x' } },
    }),
    reason: byCancel,
  },
  {
    client: 'cline',
    command: (command, cwd) => ({
      ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd },
      preToolUse: { toolName: 'run_commands', parameters: { commands: ['true', command] } },
    }),
    write: (file, cwd) => ({
      ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd },
      preToolUse: { toolName: 'editor', parameters: { path: file, new_text: 'x' } },
    }),
    reason: byCancel,
  },
];
