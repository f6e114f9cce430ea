import type { JsonObject } from '#core/event';
import { claudeHooks, codexHooks, copilotHooks, geminiHooks, qwenHooks } from './hooks.ts';

/** Transcripts of our own making with the calls of `hooks.ts`, in the recorded field structure, reduced. */
const at = '2026-05-04T03:02:01.750Z';

function claudeUse(hook: { tool_use_id: string; tool_name: string; tool_input: JsonObject }): JsonObject {
  const block = { type: 'tool_use', id: hook.tool_use_id, name: hook.tool_name, input: hook.tool_input };
  return {
    type: 'assistant',
    timestamp: at,
    ...claudeWhere,
    message: { role: 'assistant', content: [block] },
  };
}

function claudeResult(
  id: string,
  rest: { said: string; failed?: boolean; structured?: JsonObject },
): JsonObject {
  const result = { type: 'tool_result', tool_use_id: id, content: rest.said, is_error: rest.failed === true };
  return {
    type: 'user',
    timestamp: at,
    ...claudeWhere,
    message: { role: 'user', content: [result] },
    toolUseResult: rest.structured ?? `Error: ${rest.said}`,
  };
}

const claudeWhere = { sessionId: claudeHooks.bash.session_id, cwd: '/home/ada/mill' };

export const claudeRecords: readonly JsonObject[] = [
  { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
  { type: 'user', timestamp: at, ...claudeWhere, message: { role: 'user', content: 'please grind' } },
  claudeUse(claudeHooks.bash),
  claudeUse(claudeHooks.bashFailed),
  claudeResult('toolu_a1', { said: 'ground 3 sacks', structured: claudeHooks.bash.tool_response }),
  claudeResult('toolu_a2', { said: claudeHooks.bashFailed.error, failed: true }),
  claudeUse(claudeHooks.edit),
  claudeResult('toolu_a3', { said: 'edited', structured: claudeHooks.edit.tool_response }),
  claudeUse(claudeHooks.write),
  claudeResult('toolu_a4', { said: 'written', structured: claudeHooks.write.tool_response }),
  claudeUse({ tool_use_id: 'toolu_open', tool_name: 'Bash', tool_input: { command: 'sleep' } }),
  claudeUse({ tool_use_id: 'toolu_own', tool_name: 'mcp__memd__mem_search', tool_input: { query: 'q' } }),
  claudeResult('toolu_own', { said: 'a memory' }),
];

const codexItem = (payload: JsonObject): JsonObject => ({ timestamp: at, type: 'response_item', payload });

export const codexRecords: readonly JsonObject[] = [
  {
    timestamp: at,
    type: 'session_meta',
    payload: { id: 'thread', session_id: codexHooks.bash.session_id, cwd: '/home/ada/mill' },
  },
  codexItem({
    type: 'function_call',
    name: 'exec_command',
    arguments: '{"cmd":"make grind"}',
    call_id: 'call_b1',
  }),
  codexItem({
    type: 'function_call_output',
    call_id: 'call_b1',
    output: 'Chunk ID: 1\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\nground 3 sacks\n',
  }),
  codexItem({
    type: 'custom_tool_call',
    name: 'apply_patch',
    input: '*** Begin Patch\n*** End Patch',
    call_id: 'call_b2',
  }),
  codexItem({
    type: 'custom_tool_call_output',
    call_id: 'call_b2',
    output: codexHooks.patch.tool_response,
  }),
  codexItem({
    type: 'function_call',
    name: 'table',
    namespace: 'mcp__tide',
    arguments: '{"port":"Hull"}',
    call_id: 'call_b3',
  }),
  {
    timestamp: at,
    type: 'event_msg',
    payload: {
      type: 'item_completed',
      item: { type: 'McpToolCall', id: 'call_b3', result: codexHooks.mcp.tool_response },
    },
  },
  codexItem({ type: 'function_call_output', call_id: 'call_b3', output: 'Output:\nno tide' }),
];

const geminiCall = {
  id: 'replace_1',
  name: 'replace',
  args: geminiHooks.replace.tool_input,
  status: 'success',
  timestamp: at,
  result: [{ functionResponse: { response: { output: geminiHooks.replace.tool_response.llmContent } } }],
  resultDisplay: geminiHooks.replace.tool_response.returnDisplay,
};
const geminiFailed = {
  id: 'read_1',
  name: 'read_file',
  args: { file_path: 'gone.txt' },
  status: 'error',
  timestamp: at,
  result: [{ functionResponse: { response: { error: 'File not found: gone.txt' } } }],
  resultDisplay: 'File not found.',
};
const geminiMessage = { id: 'm1', timestamp: at, type: 'gemini', content: '' };

export const geminiRecords: readonly JsonObject[] = [
  { sessionId: geminiHooks.replace.session_id, projectHash: '00', kind: 'main' },
  { $set: { messages: [{ id: 'm0', timestamp: at, type: 'user', content: [{ text: 'hello' }] }] } },
  { ...geminiMessage, toolCalls: [{ ...geminiCall, status: 'executing' }] },
  { ...geminiMessage, toolCalls: [geminiCall] },
  { ...geminiMessage, toolCalls: [geminiCall, geminiFailed] },
];

/** The older form: one document. */
export const geminiDocument: JsonObject = {
  sessionId: geminiHooks.replace.session_id,
  projectHash: '00',
  messages: [
    { id: 'm0', timestamp: at, type: 'user', content: 'hello' },
    { ...geminiMessage, toolCalls: [geminiCall, geminiFailed] },
  ],
};

const qwenWhere = { sessionId: qwenHooks.edit.session_id, cwd: '/home/ada/mill', timestamp: at };
const qwenUse = (hook: { tool_call_id: string; tool_name: string; tool_input: JsonObject }): JsonObject => ({
  ...qwenWhere,
  type: 'assistant',
  message: {
    role: 'model',
    parts: [{ functionCall: { id: hook.tool_call_id, name: hook.tool_name, args: hook.tool_input } }],
  },
});

export const qwenRecords: readonly JsonObject[] = [
  { ...qwenWhere, type: 'user', message: { role: 'user', parts: [{ text: 'hello' }] } },
  qwenUse(qwenHooks.edit),
  {
    ...qwenWhere,
    type: 'tool_result',
    message: {
      role: 'user',
      parts: [
        { functionResponse: { id: 'call_d1', name: 'edit', response: { output: 'Changed wheel.txt.' } } },
      ],
    },
    toolCallResult: {
      callId: 'call_d1',
      status: 'success',
      resultDisplay: qwenHooks.edit.tool_response.returnDisplay,
    },
  },
  qwenUse(qwenHooks.shellFailed),
  {
    ...qwenWhere,
    type: 'tool_result',
    message: {
      role: 'user',
      parts: [{ functionResponse: { id: 'call_d2', response: { error: qwenHooks.shellFailed.error } } }],
    },
    toolCallResult: { callId: 'call_d2', status: 'error', resultDisplay: { type: 'shell_result' } },
  },
];

const copilotEvent = (type: string, data: JsonObject): JsonObject => ({ type, data, id: 'e', timestamp: at });

export const copilotRecords: readonly JsonObject[] = [
  copilotEvent('session.start', {
    sessionId: copilotHooks.bashFailed.sessionId,
    context: { cwd: '/home/ada/mill' },
  }),
  copilotEvent('tool.execution_start', {
    toolCallId: 'call_g1',
    toolName: 'bash',
    arguments: { command: 'make bake' },
  }),
  copilotEvent('hook.start', {
    hookType: 'postToolUse',
    input: {
      ...copilotHooks.bashFailed,
      toolResult: { ...copilotHooks.bashFailed.toolResult, sessionLog: 'more', toolTelemetry: {} },
    },
  }),
  copilotEvent('tool.execution_complete', {
    toolCallId: 'call_g1',
    success: true,
    shellExecution: { exitCode: 2 },
    result: { content: copilotHooks.bashFailed.toolResult.textResultForLlm },
  }),
  copilotEvent('tool.execution_start', {
    toolCallId: 'call_g2',
    toolName: 'view',
    arguments: { path: 'gone.txt' },
  }),
  copilotEvent('tool.execution_complete', {
    toolCallId: 'call_g2',
    success: false,
    error: { message: 'Path does not exist', code: 'failure' },
  }),
];
