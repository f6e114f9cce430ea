import { type PlannedHook, pluginMark } from '../form/index.ts';

/**
 * The plugin's source. It passes OpenCode's events to our hooks, has no dependency, and catches every error: only an explicit
 * denial of a hook denies a call.
 */
export function pluginText(hooks: readonly PlannedHook[]): string {
  const list = (wanted: string): string => {
    const some = hooks.filter(({ event }) => event === wanted);
    return `[${some.map(({ words, timeoutMs }) => `\n  { words: ${JSON.stringify(words)}, timeoutMs: ${timeoutMs} },`).join('')}\n]`;
  };
  return `${pluginMark}; removed by \`memd uninstall opencode\`.
import { spawn } from 'node:child_process';

const before = ${list('tool.execute.before')};
const after = ${list('tool.execute.after')};
const said = ${list('said')};
const start = ${list('start')};
${body}`;
}

const body = `
/** The number of sessions whose contexts are kept. */
const sessionsMax = 100;

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

export const Memd = async ({ directory, worktree }) => {
  const folder = directory || worktree || process.cwd();
  const begin = async (session) => {
    const payload = { hook_event_name: 'SessionStart', source: 'startup', session_id: session, cwd: folder };
    const texts = await Promise.all(start.map((hook) => run(hook, payload, folder)));
    return texts.map(contextIn).filter((text) => text !== '');
  };
  // Starts the daemon before the first call.
  void begin('');
  /** The text of each session's start, so that all its requests contain the same. */
  const contexts = new Map();
  return {
    'experimental.chat.system.transform': async ({ sessionID = '' }, output) => {
      if (contexts.size >= sessionsMax) contexts.clear();
      if (!contexts.has(sessionID)) contexts.set(sessionID, begin(sessionID));
      output.system.push(...(await contexts.get(sessionID)));
    },
    // Nobody waits for these two.
    'chat.message': async (input, output) => {
      for (const hook of said) void run(hook, { input, output, directory: folder }, folder);
    },
    event: async ({ event }) => {
      if (event?.type !== 'session.idle') return;
      for (const hook of said) void run(hook, { ...event, directory: folder }, folder);
    },
    'tool.execute.before': async (input, output) => {
      for (const hook of before) {
        const { decision, reason } = answerIn(await run(hook, { input, output, directory: folder }, folder));
        if (decision === 'deny') throw new Error(String(reason));
      }
    },
    'tool.execute.after': async (input, output) => {
      for (const hook of after) await run(hook, { input, output, directory: folder }, folder);
    },
  };
};
`;
