import { claudePlugin, type PlannedHook } from '../form/index.ts';

/** The source of the plugin, which passes Cline's events to our hooks in Claude Code's form, and registers our tools. */
export const pluginText = (hooks: readonly PlannedHook[], server: readonly string[]): string =>
  claudePlugin('cline', hooks, server, body);

const body = `import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';

/** What our server offers: Cline does not wait until it has started. */
function offered() {
  try {
    const [{ words }] = server;
    const { list, instructions } = JSON.parse(readFileSync(words.at(-2).replace(/[^/]*$/, 'tools.json'), 'utf8'));
    return { list: list.filter(({ name }) => name !== 'mem_remember' || mayRemember()), instructions };
  } catch {
    return { list: [] };
  }
}

/** Whether the settings have the tool that adds, as our server reads them. */
function mayRemember() {
  const { HOME, MEMD_NS } = process.env;
  try {
    const file = (HOME || homedir()) + '/.memd/' + (MEMD_NS || 'default') + '/config.json';
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    return (settings['mcp.remember'] ?? settings.mcp?.remember) !== false;
  } catch (error) {
    return error.code === 'ENOENT';
  }
}

/** The session: Cline loads plugins in a process for each. */
let where = {};

const fire = async (hooks, hook_event_name, more) => {
  const payload = { hook_event_name, ...where, ...more };
  return (await Promise.all(hooks.map((hook) => run(hook, payload, where.cwd)))).map(answerIn);
};
const contextOf = (answers) => answers.map((one) => one.hookSpecificOutput?.additionalContext ?? '').join('');

/** A turn in which a hook takes three seconds fails: without an answer by then, it goes on. */
const inTime = (work) => {
  const over = new Promise((resolve) => setTimeout(resolve, 2_000).unref());
  return Promise.race([work, over]);
};

const textIn = ({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\\n');
const promptIn = ({ messages }) =>
  messages.findLast(({ role, metadata }) => role === 'user' && metadata?.displayRole !== 'system');

/** Who the user speaks to: the first that runs. A teammate is no other way known. */
let lead;
const isAgent = ({ agentId }) => agentId !== (lead ?? agentId);

/** The turn that is the prompt's, and who an agent of the session is. */
const whose = (snapshot) => ({
  prompt_id: promptIn(snapshot)?.id,
  ...(isAgent(snapshot) ? { agent_id: snapshot.agentId } : {}),
});

const failed = ({ output, isError }) => isError || [output].flat().some((one) => one?.success === false);

export default {
  name: 'memd',
  manifest: { capabilities: ['hooks', 'tools', 'rules'] },
  setup(api, { session, workspaceInfo }) {
    const cwd = workspaceInfo?.rootPath ?? process.cwd();
    where = { client: 'cline', session_id: session?.sessionId, cwd };
    const context = fire(start, 'SessionStart', { source: 'startup' }).then(contextOf);
    process.once('SIGTERM', () => void fire(pause, 'SessionEnd', {}).then(() => process.exit(0)));
    const tools = openServer(server, cwd, 'cline');
    const { list, instructions } = offered();
    for (const { name, description, inputSchema } of list) {
      const execute = async (input) => (await tools.call(name, input)).map(({ text }) => text).join('\\n');
      api.registerTool({ name, description, inputSchema, execute });
    }
    // For a rule Cline waits a minute; it asks again for each turn.
    const content = async () => [instructions, await context].filter(Boolean).join('\\n\\n');
    api.registerRule({ id: 'memd', source: 'memd', content });
  },
  hooks: {
    async beforeRun({ snapshot }) {
      const prompt = promptIn(snapshot);
      if (!prompt) return;
      if (lead === undefined || textIn(prompt).startsWith('<user_')) lead = snapshot.agentId;
      if (isAgent(snapshot)) return;
      const ids = { message_id: prompt.id, timestamp: prompt.createdAt, ...whose(snapshot) };
      await inTime(fire(said, 'UserPromptSubmit', { prompt: textIn(prompt), ...ids }));
    },
    async afterModel({ snapshot, assistantMessage: message }) {
      const text = textIn(message);
      const ids = { message_id: message.id, timestamp: message.createdAt, ...whose(snapshot) };
      if (text !== '') await inTime(fire(said, 'Stop', { last_assistant_message: text, ...ids }));
    },
    async afterRun({ snapshot }) {
      const { status, lastError } = snapshot;
      if (status !== 'failed' || isAgent(snapshot)) return;
      await inTime(fire(said, 'StopFailure', { last_assistant_message: lastError, ...whose(snapshot) }));
    },
    async beforeTool({ snapshot, toolCall, input }) {
      const call = { preToolUse: { toolName: toolCall.toolName, parameters: input }, ...whose(snapshot) };
      const answers = (await inTime(fire(before, 'PreToolUse', call))) ?? [];
      const denial = answers.find(({ cancel }) => cancel === true);
      if (denial !== undefined) return { skip: true, reason: String(denial.errorMessage) };
    },
    async afterTool({ snapshot, toolCall, input, result, endedAt }) {
      const { toolName, toolCallId } = toolCall;
      const event = failed(result) ? 'PostToolUseFailure' : 'PostToolUse';
      const call = {
        ...{ tool_name: toolName, tool_input: input, tool_use_id: toolCallId, tool_response: result.output },
        ...{ timestamp: endedAt, ...whose(snapshot) },
      };
      const isAsked = failed(result) && toolName === 'run_commands';
      const text = isAsked ? fire(recall, event, call).then(contextOf) : '';
      const [known] = (await inTime(Promise.all([text, fire(after, event, call)]))) ?? [];
      if (known) return { appendContext: known };
    },
  },
};
`;
