import type { JsonObject } from '#core/event';

/**
 * Payloads of our own making in the field structure of recorded ones, reduced to what the
 * adapters look at. The transcripts next to them have the same calls.
 */
const claudeBase = {
  session_id: 'c1a0de00-0000-4000-8000-000000000001',
  transcript_path: '/home/ada/.claude/projects/-home-ada-mill/c1a0de00.jsonl',
  cwd: '/home/ada/mill',
  permission_mode: 'default',
};

export const claudeHooks = {
  bash: {
    ...claudeBase,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'make grind', description: 'grind' },
    tool_response: { stdout: 'ground 3 sacks', stderr: '', interrupted: false, isImage: false },
    tool_use_id: 'toolu_a1',
    duration_ms: 41,
  },
  bashFailed: {
    ...claudeBase,
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_input: { command: 'make bake' },
    tool_use_id: 'toolu_a2',
    error: 'Exit code 2\nmake: *** no rule for bake',
    is_interrupt: false,
  },
  edit: {
    ...claudeBase,
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: '/home/ada/mill/wheel.txt', old_string: 'oak', new_string: 'elm' },
    tool_response: {
      filePath: '/home/ada/mill/wheel.txt',
      oldString: 'oak',
      newString: 'elm',
      originalFile: 'wheel of oak\n',
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-oak', '+elm'] }],
    },
    tool_use_id: 'toolu_a3',
  },
  write: {
    ...claudeBase,
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_input: { file_path: '/home/ada/mill/flour.txt', content: 'white\n' },
    tool_response: {
      type: 'create',
      filePath: '/home/ada/mill/flour.txt',
      content: 'white\n',
      structuredPatch: [],
      originalFile: null,
    },
    tool_use_id: 'toolu_a4',
  },
} satisfies Record<string, JsonObject>;

const codexBase = {
  session_id: '01c0de00-0000-7000-8000-000000000002',
  turn_id: '01c0de00-0000-7000-8000-00000000000a',
  cwd: '/home/ada/mill',
  hook_event_name: 'PostToolUse',
  model: 'm',
};

export const codexHooks = {
  bash: {
    ...codexBase,
    tool_name: 'Bash',
    tool_input: { command: 'make grind' },
    tool_response: 'ground 3 sacks\n',
    tool_use_id: 'call_b1',
  },
  patch: {
    ...codexBase,
    tool_name: 'apply_patch',
    tool_input: { command: '*** Begin Patch\n*** End Patch' },
    tool_response: 'Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file\n',
    tool_use_id: 'call_b2',
  },
  mcp: {
    ...codexBase,
    tool_name: 'mcp__tide__table',
    tool_input: { port: 'Hull' },
    tool_response: { content: [{ type: 'text', text: 'no tide' }], isError: true },
    tool_use_id: 'call_b3',
  },
} satisfies Record<string, JsonObject>;

const geminiBase = {
  session_id: '9e0de000-0000-4000-8000-000000000003',
  transcript_path: '/home/ada/.gemini/tmp/mill/chats/session.jsonl',
  cwd: '/home/ada/mill',
  hook_event_name: 'AfterTool',
  timestamp: '2026-05-04T03:02:01.500Z',
};

const fileDisplay = {
  fileDiff: '--- a\n+++ b\n-oak\n+elm\n',
  fileName: 'wheel.txt',
  originalContent: 'wheel of oak\n',
  newContent: 'wheel of elm\n',
};

export const geminiHooks = {
  shell: {
    ...geminiBase,
    tool_name: 'run_shell_command',
    tool_input: { command: 'make bake' },
    tool_response: {
      llmContent:
        '<untrusted_context>\nOutput: no rule\nExit Code: 2\nProcess Group PGID: 7\n</untrusted_context>',
      returnDisplay: 'no rule',
    },
  },
  replace: {
    ...geminiBase,
    tool_name: 'replace',
    tool_input: { file_path: 'wheel.txt', old_string: 'oak', new_string: 'elm' },
    tool_response: {
      llmContent: 'Changed wheel.txt. Here is the updated code:\nwheel of elm\n',
      returnDisplay: fileDisplay,
    },
  },
  failed: {
    ...geminiBase,
    tool_name: 'read_file',
    tool_input: { file_path: 'gone.txt' },
    tool_response: {
      llmContent: 'File not found: gone.txt',
      returnDisplay: 'File not found.',
      error: { message: 'File not found: gone.txt', type: 'file_not_found' },
    },
  },
} satisfies Record<string, JsonObject>;

const qwenBase = {
  session_id: '0e0e0000-0000-4000-8000-000000000004',
  transcript_path: '/home/ada/.qwen/projects/-home-ada-mill/chats/0e0e.jsonl',
  cwd: '/home/ada/mill',
  timestamp: '2026-05-04T03:02:01.500Z',
};

export const qwenHooks = {
  edit: {
    ...qwenBase,
    hook_event_name: 'PostToolUse',
    tool_name: 'edit',
    tool_input: { file_path: 'wheel.txt' },
    tool_response: { llmContent: 'Changed wheel.txt.', returnDisplay: fileDisplay },
    tool_use_id: 'toolu_made_up_1',
    tool_call_id: 'call_d1',
  },
  shellFailed: {
    ...qwenBase,
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'run_shell_command',
    tool_input: { command: 'make bake' },
    error: 'Command: make bake\nOutput: no rule\nExit Code: 2',
    tool_use_id: 'toolu_made_up_2',
    tool_call_id: 'call_d2',
  },
} satisfies Record<string, JsonObject>;

const copilotBase = {
  sessionId: 'c0b10700-0000-4000-8000-000000000005',
  timestamp: Date.UTC(2026, 4, 4, 3, 2, 1, 500),
  cwd: '/home/ada/mill',
};

export const copilotHooks = {
  bashFailed: {
    ...copilotBase,
    toolName: 'bash',
    toolArgs: '{"command":"make bake"}',
    toolResult: {
      resultType: 'success',
      textResultForLlm: 'no rule\n<shellId: 0 completed with exit code 2>',
    },
  },
  viewFailed: {
    ...copilotBase,
    toolName: 'view',
    toolArgs: { path: 'gone.txt' },
    error: 'Path does not exist',
  },
  pascal: {
    hook_event_name: 'PostToolUse',
    session_id: 'c0b10700-0000-4000-8000-000000000005',
    timestamp: '2026-05-04T03:02:01.500Z',
    cwd: '/home/ada/mill',
    tool_name: 'Bash',
    tool_input: { command: 'make grind' },
    tool_result: {
      result_type: 'success',
      text_result_for_llm: 'ground\n<shellId: 0 completed with exit code 0>',
    },
  },
} satisfies Record<string, JsonObject>;

export const opencodeHooks = {
  bash: {
    input: { tool: 'bash', sessionID: 'ses_e1', callID: 'call_e1', args: { command: 'make bake' } },
    output: {
      title: 'make bake',
      output: 'no rule\n',
      metadata: { output: 'no rule\n', exit: 2, truncated: false },
    },
  },
  edit: {
    input: { tool: 'edit', sessionID: 'ses_e1', callID: 'call_e2', args: { filePath: 'wheel.txt' } },
    output: {
      title: 'wheel.txt',
      output: 'Edit applied.',
      metadata: {
        diff: '-oak\n+elm\n',
        filediff: { file: 'wheel.txt', patch: '-oak\n+elm\n', before: 'oak' },
      },
    },
  },
} satisfies Record<string, JsonObject>;

export const cursorHooks = {
  shell: {
    hook_event_name: 'afterShellExecution',
    conversation_id: 'f1',
    command: 'make grind',
    output: 'ground',
    workspace_roots: ['/home/ada/mill'],
  },
  mcp: {
    hook_event_name: 'afterMCPExecution',
    conversation_id: 'f1',
    tool_name: 'table',
    tool_input: '{"port":"Hull"}',
    result_json: '{"tide":"high"}',
  },
  edit: {
    hook_event_name: 'afterFileEdit',
    conversation_id: 'f1',
    file_path: 'wheel.txt',
    edits: [{ old_string: 'oak', new_string: 'elm' }],
  },
  use: {
    hook_event_name: 'postToolUse',
    conversation_id: 'f1',
    tool_name: 'Read',
    tool_input: { path: 'wheel.txt' },
    tool_output: 'elm',
    tool_use_id: 'use_1',
  },
} satisfies Record<string, JsonObject>;
