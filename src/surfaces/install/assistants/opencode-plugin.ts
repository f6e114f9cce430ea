import type { PlannedHook } from '../hooks.ts';

/** How the first line of the plugin's file begins: a file that begins otherwise is somebody else's. */
export const pluginMark = '// memd: written by `memd install opencode`';

/**
 * The plugin's source: what OpenCode tells of a tool call, handed to our hooks as they are run everywhere else. It has no
 * dependency and lets no failure out: a call is denied when a hook denies it in words, and by nothing else.
 */
export function pluginText(hooks: readonly PlannedHook[]): string {
  const before = hooks.filter(({ event }) => event === 'tool.execute.before');
  const after = hooks.filter(({ event }) => event === 'tool.execute.after');
  const start = hooks.filter(({ event }) => event === 'start');
  const list = (some: readonly PlannedHook[]): string =>
    `[${some.map(({ words, timeoutMs }) => `\n  { words: ${JSON.stringify(words)}, timeoutMs: ${timeoutMs} },`).join('')}\n]`;
  return `${pluginMark}; taken out by \`memd uninstall opencode\`.
import { spawn } from 'node:child_process';

const before = ${list(before)};
const after = ${list(after)};
const start = ${list(start)};
${body}`;
}

const body = `
/** So many sessions' contexts are kept. */
const sessionsMax = 100;

/** Runs one hook with a payload on its standard input. Settles with what it put out, or with nothing when anything goes wrong. */
function run({ words, timeoutMs }, payload, directory) {
  return new Promise((resolve) => {
    const [command, ...args] = words;
    let out = '';
    let child;
    const timer = setTimeout(() => {
      child?.kill('SIGKILL');
      gaveUp(\`not done within \${timeoutMs} ms\`);
    }, timeoutMs);
    timer.unref?.();
    const gaveUp = (reason) => {
      clearTimeout(timer);
      if (process.env.MEMD_DEBUG) console.error(\`memd: \${args[0]}: \${reason}\`);
      resolve('');
    };
    try {
      const env = { ...process.env, CLAUDE_PROJECT_DIR: directory };
      child = spawn(command, args, { cwd: directory, env, stdio: ['pipe', 'pipe', 'ignore'] });
      child.once('error', (error) => gaveUp(error.message));
      child.stdin.on('error', (error) => gaveUp(error.message));
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
      gaveUp(String(error));
    }
  });
}

/** The reason of a denial; null for any other answer. */
function denialIn(text) {
  try {
    const answer = JSON.parse(text);
    return answer?.decision === 'deny' ? String(answer.reason) : null;
  } catch {
    // Silence, which lets the call through.
    return null;
  }
}

/** What the hooks at a session's start say for the assistant. */
function contextIn(text) {
  try {
    return String(JSON.parse(text)?.hookSpecificOutput?.additionalContext ?? '');
  } catch {
    // Silence: nothing is remembered yet.
    return '';
  }
}

export const Memd = async ({ directory, worktree }) => {
  const folder = directory || worktree || process.cwd();
  const begin = async (session) => {
    const payload = { hook_event_name: 'SessionStart', source: 'startup', session_id: session, cwd: folder };
    const said = await Promise.all(start.map((hook) => run(hook, payload, folder)));
    return said.map(contextIn).filter((text) => text !== '');
  };
  // Whatever is done first, the daemon is there for it.
  void begin('');
  /** What was told at a session's start, so that each of its requests says the same. */
  const contexts = new Map();
  return {
    'experimental.chat.system.transform': async ({ sessionID = '' }, output) => {
      if (contexts.size >= sessionsMax) contexts.clear();
      if (!contexts.has(sessionID)) contexts.set(sessionID, begin(sessionID));
      output.system.push(...(await contexts.get(sessionID)));
    },
    'tool.execute.before': async (input, output) => {
      for (const hook of before) {
        const reason = denialIn(await run(hook, { input, output, directory: folder }, folder));
        if (reason !== null) throw new Error(reason);
      }
    },
    'tool.execute.after': async (input, output) => {
      for (const hook of after) await run(hook, { input, output, directory: folder }, folder);
    },
  };
};
`;
