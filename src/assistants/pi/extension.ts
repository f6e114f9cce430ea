import { claudePlugin, type PlannedHook } from '../form/index.ts';

/** The source of the extension, which passes Pi's events to our hooks in Claude Code's form, and our tools to Pi. */
export const extensionText = (hooks: readonly PlannedHook[], server: readonly string[]): string =>
  claudePlugin('pi', hooks, server, body);

const body = `/** Gives Pi our tools. Without an answer it has none. */
async function addTools(pi, tools) {
  const { result } = await tools.ask('tools/list', {});
  const instructions = await tools.instructions();
  for (const { name, title, description, inputSchema } of result?.tools ?? []) {
    pi.registerTool({
      name,
      label: title ?? name,
      description,
      promptSnippet: title,
      ...(name === 'mem_search' && instructions ? { promptGuidelines: [instructions] } : {}),
      parameters: inputSchema,
      execute: async (_id, input) => ({ content: await tools.call(name, input), details: {} }),
    });
  }
}

/** What a message says, without the model's thoughts. */
function textIn({ content }) {
  if (typeof content === 'string') return content;
  const texts = (content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.join('\\n');
}

export default function memd(pi) {
  let tools = null;
  let turn;
  /** The text of the session's start, which each of its requests contains. */
  let context = Promise.resolve('');
  const fire = async (hooks, hook_event_name, ctx, more) => {
    const { sessionManager, cwd } = ctx;
    const where = { session_id: sessionManager.getSessionId(), transcript_path: sessionManager.getSessionFile(), cwd };
    const texts = hooks.map((hook) => run(hook, { hook_event_name, ...where, ...more }, cwd));
    const answers = (await Promise.all(texts)).map(answerIn);
    for (const { systemMessage } of answers) if (systemMessage) ctx.ui.notify(systemMessage, 'warning');
    return answers.map(({ hookSpecificOutput }) => hookSpecificOutput ?? {});
  };
  const contextOf = (answers) => answers.map(({ additionalContext }) => additionalContext ?? '').join('');
  const begin = (ctx, source) => {
    context = fire(start, 'SessionStart', ctx, { source }).then(contextOf);
  };
  const sources = { reload: 'resume', new: 'startup' };

  pi.on('session_start', async ({ reason }, ctx) => {
    begin(ctx, sources[reason] ?? reason);
    tools = openServer(server, ctx.cwd, 'pi');
    await addTools(pi, tools);
  });
  pi.on('before_agent_start', async ({ systemPrompt }) => {
    const text = await context;
    if (text !== '') return { systemPrompt: \`\${systemPrompt}\\n\\n\${text}\` };
  });
  pi.on('message_end', async ({ message }, ctx) => {
    if (message.role !== 'user') return;
    turn = String(message.timestamp);
    const ids = { message_id: turn, prompt_id: turn, timestamp: message.timestamp };
    await fire(said, 'UserPromptSubmit', ctx, { prompt: textIn(message), ...ids });
  });
  pi.on('agent_end', async ({ messages }, ctx) => {
    const last = messages.findLast(({ role }) => role === 'assistant') ?? {};
    const { timestamp, stopReason, errorMessage } = last;
    const isError = stopReason === 'error';
    const ids = { message_id: timestamp + (isError ? ':error' : ''), prompt_id: turn, timestamp };
    const text = isError ? errorMessage : textIn(last);
    await fire(said, isError ? 'StopFailure' : 'Stop', ctx, { last_assistant_message: text, ...ids });
  });
  pi.on('tool_call', async ({ toolName, toolCallId, input }, ctx) => {
    const call = { tool_name: toolName, tool_input: input, tool_use_id: toolCallId };
    const denial = (await fire(before, 'PreToolUse', ctx, call)).find((one) => one.permissionDecision === 'deny');
    if (denial !== undefined) return { block: true, reason: String(denial.permissionDecisionReason) };
  });
  pi.on('tool_result', async ({ toolName, toolCallId, input, content, details, isError }, ctx) => {
    const call = { tool_name: toolName, tool_input: input, tool_use_id: toolCallId, tool_response: { content, details } };
    const event = isError ? 'PostToolUseFailure' : 'PostToolUse';
    const isFailedCommand = isError && toolName === 'bash';
    const [text] = await Promise.all([
      isFailedCommand ? fire(recall, event, ctx, call).then(contextOf) : '',
      fire(after, event, ctx, call),
    ]);
    if (text !== '') return { content: [...content, { type: 'text', text }] };
  });
  pi.on('session_before_compact', (_event, ctx) => fire(pause, 'PreCompact', ctx, {}).then(() => {}));
  pi.on('session_compact', async ({ compactionEntry: { id, summary, timestamp } }, ctx) => {
    await fire(said, 'PostCompact', ctx, { compact_summary: summary, message_id: id, prompt_id: turn, timestamp });
    begin(ctx, 'compact');
  });
  pi.on('session_shutdown', async ({ reason }, ctx) => {
    tools?.close();
    await fire(pause, 'SessionEnd', ctx, { reason });
  });
}
`;
