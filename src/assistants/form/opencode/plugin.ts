import type { PlannedHook } from '../install.ts';
import { pluginSource } from '../plugin.ts';

/** The source of the plugin of OpenCode and Kilo. */
export function pluginText(client: string, hooks: readonly PlannedHook[]): string {
  const of = (wanted: string) => hooks.filter(({ event }) => event === wanted);
  const lists = {
    before: of('tool.execute.before'),
    after: of('tool.execute.after'),
    said: of('said'),
    start: of('start'),
    pause: of('experimental.session.compacting'),
  };
  return pluginSource(client, lists, body);
}

const body = `/** The number of sessions whose contexts are kept. */
const sessionsMax = 100;

export const Memd = async ({ directory, worktree }) => {
  const folder = directory || worktree || process.cwd();
  const fire = (hooks, hook_event_name, session_id, more) => {
    const payload = { hook_event_name, session_id, cwd: folder, ...more };
    return Promise.all(hooks.map((hook) => run(hook, payload, folder)));
  };
  const begin = async (session, source = 'startup') => {
    const texts = await fire(start, 'SessionStart', session, { source });
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
      const session = event?.properties?.sessionID;
      if (event?.type === 'session.compacted') contexts.set(session, begin(session, 'compact'));
      if (event?.type !== 'session.idle') return;
      for (const hook of said) void run(hook, { ...event, directory: folder }, folder);
    },
    'experimental.session.compacting': async ({ sessionID }) => {
      await fire(pause, 'PreCompact', sessionID);
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
