import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** claude-mem's worker and hook in a temporary home, by the commands of its own hooks.json. */
export function openClaudeMem({ plugin, bun, version }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'claude-mem-compare-'));
  const home = path.join(folder, 'home');
  const project = path.join(home, 'project');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  const env = { PATH: `${bun}:${process.env.PATH}`, HOME: home, CLAUDE_PLUGIN_ROOT: plugin };
  const { hooks } = JSON.parse(fs.readFileSync(path.join(plugin, 'hooks/hooks.json'), 'utf8'));
  const [starting] = hooks.SessionStart[0].hooks;
  const [prompt] = hooks.UserPromptSubmit[0].hooks;
  const [observing] = hooks.PostToolUse[0].hooks;
  const data = path.join(home, '.claude-mem');
  const shell = (command, input = '') =>
    execFileSync('bash', ['-c', command], { env, cwd: project, input, stdio: ['pipe', 'ignore', 'ignore'] });
  const worker = () => JSON.parse(fs.readFileSync(path.join(data, 'worker.pid'), 'utf8'));
  shell(starting.command);
  const session = { session_id: 'session-1', cwd: project, hook_event_name: 'UserPromptSubmit' };
  shell(prompt.command, JSON.stringify({ ...session, prompt: 'Build all parts' }));
  return {
    name: 'claude-mem',
    version,
    project,
    env,
    hook: observing.command,
    isAsync: observing.async === true,
    data,
    pid: () => worker().pid,
    url: () => `http://127.0.0.1:${worker().port}`,
    pages: ['/', '/api/stats', '/api/observations', '/api/prompts', '/api/search?query=build'],
    start: () => shell(starting.command),
    stored: () => rows(bun, path.join(data, 'claude-mem.db')),
    end: () => {
      try {
        process.kill(worker().pid);
      } catch {
        // It has ended by itself.
      }
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Tool calls that its database holds, waiting or done. */
function rows(bun, file) {
  const script = `const { Database } = require('bun:sqlite');
    const database = new Database(process.argv[1]);
    console.log(database.query('SELECT count(*) AS n FROM tool_uses').get().n);`;
  return Number(execFileSync(path.join(bun, 'bun'), ['-e', script, file], { encoding: 'utf8' }));
}
