import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { JsonObject } from '#core/event';

/** A call as an assistant's own hook reports it, and the client name that the hook gets. */
export interface HookCall {
  readonly client: string;
  readonly payload: JsonObject;
}

const atMs = Date.parse('2026-03-01T10:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const lines = (records: readonly JsonObject[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/**
 * A session of every assistant, begun in `cwd`, laid where each keeps it below `home`: two calls a session, the same one
 * twice. Returns what the assistants' hooks would have reported. Our own records, in the recorded field structure.
 */
export function leaveSessions(home: string, cwd: string, tag: string): HookCall[] {
  const at = { home, cwd, tag };
  return [
    claudeCode(at),
    codex(at),
    geminiCli(at),
    qwenCode(at),
    copilotCli(at),
    opencode(at, 'opencode'),
    opencode(at, 'kilo'),
    pi(at),
    cline(at),
  ].flat();
}

interface Left {
  readonly home: string;
  readonly cwd: string;
  readonly tag: string;
}

/** The two calls: their ids, when they ended, and what they ran. */
const calls = (tag: string) =>
  [1, 2].map((count) => ({ id: `${tag}-call-${count}`, ms: atMs + count * 30_000, command: `make ${tag}` }));

const encoded = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, '-');

function claudeCode({ home, cwd, tag }: Left): HookCall[] {
  const session = `claude-${tag}`;
  const hooks = calls(`${tag}-cc`).map(({ id, ms, command }) => ({
    session_id: session,
    cwd,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_response: { stdout: 'made', stderr: '', interrupted: false, isImage: false },
    tool_use_id: id,
    timestamp: iso(ms),
  }));
  const records = hooks.flatMap((hook) => {
    const where = { sessionId: session, cwd, timestamp: hook.timestamp };
    const use = { type: 'tool_use', id: hook.tool_use_id, name: 'Bash', input: hook.tool_input };
    const result = { type: 'tool_result', tool_use_id: hook.tool_use_id, content: 'made', is_error: false };
    return [
      { type: 'assistant', ...where, message: { role: 'assistant', content: [use] } },
      {
        type: 'user',
        ...where,
        message: { role: 'user', content: [result] },
        toolUseResult: hook.tool_response,
      },
    ];
  });
  write(path.join(home, '.claude/projects', encoded(cwd), `${session}.jsonl`), lines(records));
  return hooks.map((payload) => ({ client: 'claude-code', payload }));
}

function codex({ home, cwd, tag }: Left): HookCall[] {
  const session = `codex-${tag}`;
  const item = (ms: number, payload: JsonObject): JsonObject => ({
    timestamp: iso(ms),
    type: 'response_item',
    payload,
  });
  const made = calls(`${tag}-cx`);
  const records: JsonObject[] = [
    { timestamp: iso(atMs), type: 'session_meta', payload: { id: session, session_id: session, cwd } },
    ...made.flatMap(({ id, ms, command }) => [
      item(ms, {
        type: 'function_call',
        name: 'exec_command',
        arguments: JSON.stringify({ cmd: command }),
        call_id: id,
      }),
      item(ms, {
        type: 'function_call_output',
        call_id: id,
        output: 'Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nmade',
      }),
    ]),
  ];
  const name = `rollout-2026-03-01T10-00-00-${session}.jsonl`;
  write(path.join(home, '.codex/sessions/2026/03/01', name), lines(records));
  return made.map(({ id, command }) => ({
    client: 'codex',
    payload: {
      session_id: session,
      turn_id: 't1',
      cwd,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_response: 'made',
      tool_use_id: id,
    },
  }));
}

function geminiCli({ home, cwd, tag }: Left): HookCall[] {
  const session = `gemini-${tag}`;
  const folder = path.join(home, '.gemini/tmp', `slug-${tag}`);
  const made = calls(`${tag}-gm`);
  const messages = made.map(({ id, ms, command }) => ({
    id: `m-${id}`,
    timestamp: iso(ms),
    type: 'gemini',
    content: '',
    toolCalls: [
      {
        id,
        name: 'run_shell_command',
        args: { command },
        result: [
          { functionResponse: { id, name: 'run_shell_command', response: { output: 'Output: made' } } },
        ],
        status: 'success',
        timestamp: iso(ms + 120),
        resultDisplay: 'made',
      },
    ],
  }));
  write(path.join(folder, '.project_root'), cwd);
  const head = {
    sessionId: session,
    projectHash: 'h',
    startTime: iso(atMs),
    lastUpdated: iso(atMs),
    kind: 'main',
  };
  write(path.join(folder, 'chats', `session-${tag}.jsonl`), lines([head, ...messages]));
  return made.map(({ ms, command }) => ({
    client: 'gemini-cli',
    payload: {
      session_id: session,
      cwd,
      hook_event_name: 'AfterTool',
      timestamp: iso(ms),
      tool_name: 'run_shell_command',
      tool_input: { command },
      tool_response: { llmContent: 'Output: made', returnDisplay: 'made' },
    },
  }));
}

function qwenCode({ home, cwd, tag }: Left): HookCall[] {
  const session = `qwen-${tag}`;
  const made = calls(`${tag}-qw`);
  const records = made.flatMap(({ id, ms, command }) => {
    const where = { sessionId: session, timestamp: iso(ms), cwd };
    const call = { id, name: 'run_shell_command', args: { command } };
    const answer = { id, name: 'run_shell_command', response: { output: 'Output: made' } };
    return [
      { ...where, type: 'assistant', message: { role: 'model', parts: [{ functionCall: call }] } },
      {
        ...where,
        type: 'tool_result',
        message: { role: 'user', parts: [{ functionResponse: answer }] },
        toolCallResult: { callId: id, status: 'success', resultDisplay: 'made' },
      },
    ];
  });
  write(path.join(home, '.qwen/projects', encoded(cwd), 'chats', `${session}.jsonl`), lines(records));
  return made.map(({ id, ms, command }) => ({
    client: 'qwen-code',
    payload: {
      session_id: session,
      cwd,
      hook_event_name: 'PostToolUse',
      timestamp: iso(ms),
      tool_name: 'run_shell_command',
      tool_input: { command },
      tool_response: { llmContent: 'Output: made', returnDisplay: 'made' },
      tool_use_id: `toolu_${id}`,
      tool_call_id: id,
    },
  }));
}

function copilotCli({ home, cwd, tag }: Left): HookCall[] {
  const session = `copilot-${tag}`;
  const event = (ms: number, type: string, data: JsonObject): JsonObject => ({
    type,
    data,
    timestamp: iso(ms),
  });
  const made = calls(`${tag}-cp`);
  const records = made.flatMap(({ id, ms, command }) => [
    event(ms - 20, 'tool.execution_start', { toolCallId: id, toolName: 'bash', arguments: { command } }),
    event(ms + 46, 'tool.execution_complete', { toolCallId: id, success: true, result: { content: 'made' } }),
  ]);
  const start = event(atMs, 'session.start', { sessionId: session, context: { cwd } });
  write(path.join(home, '.copilot/session-state', session, 'events.jsonl'), lines([start, ...records]));
  return made.map(({ ms, command }) => ({
    client: 'copilot-cli',
    payload: {
      sessionId: session,
      timestamp: ms,
      cwd,
      toolName: 'bash',
      toolArgs: { command },
      toolResult: { resultType: 'success', textResultForLlm: 'made' },
    },
  }));
}

function pi({ home, cwd, tag }: Left): HookCall[] {
  const session = `pi-${tag}`;
  const where = { session_id: session, cwd };
  const hooks = calls(`${tag}-pi`).map(({ id, ms, command }) => ({
    ...{ ...where, hook_event_name: 'PostToolUse', timestamp: iso(ms), tool_use_id: id },
    ...{
      tool_name: 'bash',
      tool_input: { command },
      tool_response: { content: [{ type: 'text', text: 'made' }] },
    },
  }));
  const entries = hooks.flatMap(({ timestamp, tool_use_id: id, tool_input, tool_response }) => [
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id, name: 'bash', arguments: tool_input }],
      timestamp,
    },
    { role: 'toolResult', toolCallId: id, toolName: 'bash', ...tool_response, isError: false, timestamp },
  ]);
  const records = entries.map((message, at) => ({
    ...{
      type: 'message',
      id: `e${at}`,
      parentId: at === 0 ? null : `e${at - 1}`,
      timestamp: message.timestamp,
      message,
    },
  }));
  const head = { type: 'session', version: 3, id: session, timestamp: iso(atMs), cwd };
  const folder = `--${cwd.replace(/^\//, '').replace(/[/:]/g, '-')}--`;
  write(path.join(home, '.pi/agent/sessions', folder, `2026_${session}.jsonl`), lines([head, ...records]));
  return hooks.map((payload) => ({ client: 'pi', payload }));
}

function cline({ home, cwd, tag }: Left): HookCall[] {
  const session = `cline-${tag}`;
  const made = calls(`${tag}-cl`).map(({ id, ms, command }) => ({
    ...{ id, ms, input: { commands: [command] } },
    output: [{ query: command, result: 'made', success: true }],
  }));
  const messages = made.flatMap(({ id, ms, input, output }) => [
    {
      ...{ id: `m-${id}`, role: 'assistant', ts: ms - 20 },
      content: [{ type: 'tool_use', id, name: 'run_commands', input }],
    },
    {
      ...{ id: `r-${id}`, role: 'user', ts: ms },
      content: [{ type: 'tool_result', tool_use_id: id, name: 'run_commands', content: output }],
    },
  ]);
  const folder = path.join(home, '.cline/data/sessions', session);
  write(path.join(folder, `${session}.json`), JSON.stringify({ session_id: session, cwd }));
  const origin = { source: 'cli', mode: 'user', sessionId: session };
  const document = { version: 1, agent: 'lead', sessionId: session, origin, messages };
  write(path.join(folder, `${session}.messages.json`), JSON.stringify(document, null, 2));
  return made.map(({ id, ms, input, output }) => ({
    client: 'cline',
    payload: {
      ...{ hook_event_name: 'PostToolUse', session_id: session, cwd, timestamp: iso(ms) },
      ...{ tool_name: 'run_commands', tool_input: input, tool_use_id: id, tool_response: output },
    },
  }));
}

function opencode({ home, cwd, tag }: Left, client: 'opencode' | 'kilo'): HookCall[] {
  const session = `ses_${tag}`;
  const file = path.join(home, `.local/share/${client}/${client}.db`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  const made = calls(`${tag}-${client}`);
  try {
    database.exec(opencodeSchema);
    const insert = (sql: string, ...values: (string | number | null)[]): void =>
      void database.prepare(sql).run(...values);
    insert('INSERT INTO session VALUES (?, ?, ?, ?)', session, null, cwd, atMs);
    insert('INSERT INTO message VALUES (?, ?, ?, ?)', `msg_${tag}`, session, atMs, '{"role":"assistant"}');
    for (const { id, ms, command } of made) {
      const state = {
        status: 'completed',
        input: { command },
        output: 'made',
        title: 'make',
        metadata: { output: 'made', exit: 0 },
        time: { start: ms - 10, end: ms },
      };
      const part = JSON.stringify({ type: 'tool', callID: id, tool: 'bash', state });
      insert('INSERT INTO part VALUES (?, ?, ?, ?, ?)', `prt_${id}`, `msg_${tag}`, session, ms, part);
    }
  } finally {
    database.close();
  }
  return made.map(({ id, command }) => ({
    client,
    payload: {
      input: { tool: 'bash', sessionID: session, callID: id, args: { command } },
      output: { title: 'make', output: 'made', metadata: { output: 'made', exit: 0 } },
      directory: cwd,
    },
  }));
}

/** The columns of OpenCode's tables that matter. */
const opencodeSchema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, time_updated INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, data TEXT NOT NULL);
`;
