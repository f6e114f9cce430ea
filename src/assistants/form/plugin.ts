import type { PlannedHook } from './install.ts';

/** The start of the first line of a plugin of ours. A file that starts otherwise is not ours. */
export const pluginMark = '// memd: written by `memd install ';

/** What memd runs in a list of the plugin's source: from these lines its state is known again. */
export type PluginList = readonly Pick<PlannedHook, 'words' | 'timeoutMs'>[];

/**
 * A plugin's source: lists of what it runs, the functions that run it, and `body`, which passes the client's events to them. It has no
 * dependency, and catches every error: only an explicit denial of a hook denies a call.
 */
export function pluginSource(
  client: string,
  lists: Readonly<Record<string, PluginList>>,
  body: string,
): string {
  const written = Object.entries(lists).map(([name, list]) => {
    const lines = list.map(
      ({ words, timeoutMs }) => `\n  { words: ${JSON.stringify(words)}, timeoutMs: ${timeoutMs} },`,
    );
    return `const ${name} = [${lines.join('')}\n];\n`;
  });
  return `${pluginMark}${client}\`; removed by \`memd uninstall ${client}\`.
import { spawn } from 'node:child_process';

${written.join('')}${running}
${body}`;
}

const running = `
/** Runs one hook with a payload on stdin. Settles with its stdout, or with '' after any error. */
function run({ words, timeoutMs }, payload, directory) {
  return new Promise((resolve) => {
    const [command, ...args] = words;
    let out = '';
    let child;
    const timer = setTimeout(() => {
      child?.kill('SIGKILL');
      fail(\`not done within \${timeoutMs} ms\`);
    }, timeoutMs);
    timer.unref?.();
    const fail = (reason) => {
      clearTimeout(timer);
      if (process.env.MEMD_DEBUG) console.error(\`memd: \${args[0]}: \${reason}\`);
      resolve('');
    };
    try {
      const env = { ...process.env, CLAUDE_PROJECT_DIR: directory };
      child = spawn(command, args, { cwd: directory, env, stdio: ['pipe', 'pipe', 'ignore'] });
      child.once('error', (error) => fail(error.message));
      child.stdin.on('error', (error) => fail(error.message));
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (text) => {
        out += text;
      });
      child.once('close', () => {
        clearTimeout(timer);
        resolve(out);
      });
      child.stdin.end(JSON.stringify(payload));
    } catch (error) {
      fail(String(error));
    }
  });
}

/** What a hook answers. */
function answerIn(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    // No answer: the call proceeds, or there are no memories yet.
    return {};
  }
}

/** The text that a hook at a session's start gives the assistant. */
const contextIn = (text) => String(answerIn(text).hookSpecificOutput?.additionalContext ?? '');
`;

/** The source of a plugin that passes its events in Claude Code's form, and registers the tools of our server itself. */
export function claudePlugin(
  client: string,
  hooks: readonly PlannedHook[],
  server: readonly string[],
  body: string,
): string {
  const of = (wanted: string) => hooks.filter(({ event }) => event === wanted);
  const lists = {
    before: of('PreToolUse'),
    // The same program takes each of these events.
    after: of('PostToolUse'),
    said: of('Stop'),
    start: of('SessionStart'),
    pause: of('SessionEnd'),
    recall: hooks.filter(({ program }) => program === 'recall'),
    server: [{ words: server, timeoutMs: toolAnswerMs }],
  };
  return pluginSource(client, lists, `${toolsSource}\n${body}`);
}

const toolsSource = `/** Our server for tools, which starts with the first question and again after it has ended. */
function openServer([{ words, timeoutMs }], directory, client) {
  const waiting = new Map();
  let child = null;
  let last = 0;
  const end = (ended, reason) => {
    if (ended === child) child = null;
    for (const answer of waiting.values()) answer({ error: { message: reason } });
    waiting.clear();
  };
  const open = () => {
    const [command, ...args] = words;
    const env = { ...process.env, CLAUDE_PROJECT_DIR: directory };
    const opened = spawn(command, args, { cwd: directory, env, stdio: ['pipe', 'pipe', 'ignore'] });
    let rest = '';
    opened.once('error', (error) => end(opened, error.message));
    opened.once('close', () => end(opened, 'memd mcp has ended'));
    opened.stdin.on('error', () => {});
    opened.stdout.setEncoding('utf8');
    opened.stdout.on('data', (text) => {
      const lines = (rest + text).split('\\n');
      rest = lines.pop();
      for (const line of lines) {
        const message = answerIn(line);
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
      }
    });
    return opened;
  };
  const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const ask = (method, params) =>
    new Promise((resolve) => {
      last += 1;
      const id = last;
      const timer = setTimeout(() => {
        waiting.delete(id);
        resolve({ error: { message: \`memd does not answer within \${timeoutMs} ms\` } });
      }, timeoutMs);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      send({ id, method, params });
    });
  const greet = () => {
    child = open();
    const clientInfo = { name: client, version: '1' };
    const answer = ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    send({ method: 'notifications/initialized' });
    return answer;
  };
  let greeted;
  const askFirst = async (method, params) => {
    if (child === null) greeted = greet();
    await greeted;
    return ask(method, params);
  };
  return {
    ask: askFirst,
    call: async (name, input) => {
      const answer = await askFirst('tools/call', { name, arguments: input });
      const content = answer.result?.content ?? [{ type: 'text', text: String(answer.error?.message) }];
      if (answer.error || answer.result?.isError) throw new Error(content.map(({ text }) => text).join('\\n'));
      return content;
    },
    instructions: async () => (await greeted)?.result?.instructions,
    close: () => child?.stdin.end(),
  };
}
`;

/** Longer than the server itself waits for the daemon. */
const toolAnswerMs = 15_000;
