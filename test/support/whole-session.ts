import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { dist, type Home } from './home.ts';
import { leaveSessions } from './left-sessions.ts';
import { closeServers, connect } from './mcp-server.ts';
import { type Ran, run } from './run.ts';

/** Of the calls below. */
const query = 'cat log';
const read = { session_id: 's', tool_name: 'Read', tool_use_id: 'read-1', tool_input: { file_path: 'a.ts' } };

/** The end of a command that must succeed. */
async function done(what: string, ran: Promise<Ran>): Promise<string> {
  const { code, stdout, stderr } = await ran;
  expect({ what, code, stderr: code === 0 ? '' : stderr }).toEqual({ what, code: 0, stderr: '' });
  return stdout;
}

/**
 * Everything that memd does for a user, once, in `home`: from `memd up` to `memd uninstall --all`, with the hooks, the page's server and the
 * assistants' tools. `env` is every process's.
 */
export async function wholeSession(home: Home, env: Readonly<Record<string, string>>): Promise<void> {
  const memd = (...args: string[]) => done(args.join(' '), home.memd(args, { env }));
  const mem = (...args: string[]) => done(args.join(' '), home.mem(args, { env }));
  const hook = (script: string, input: object, ...args: string[]) =>
    done(
      script,
      run(process.execPath, [path.join(dist, script), ...args], {
        cwd: home.project,
        env: home.env(env),
        input: JSON.stringify(input),
      }),
    );
  fs.mkdirSync(path.join(home.project, '.memd'));
  fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"allow": ["**"]}');
  leaveSessions(home.home, home.project, 'left');

  await memd('up');
  await hook('session-start.cjs', { hook_event_name: 'SessionStart', session_id: 's', source: 'startup' });
  const after = { hook_event_name: 'PostToolUse', ...read, tool_response: { content: 'a' } };
  await hook('capture-observation.mjs', after);
  const output = 'a line of it\n'.repeat(100_000);
  await hook('capture-observation.cjs', { tool: 'Bash', input: { command: 'cat log' }, output });
  const before = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Write', cwd: home.project };
  await hook('boundary.cjs', { ...before, tool_input: { file_path: path.join(home.project, 'a.ts') } });
  await hook('guard.cjs', { ...before, tool_input: {} }, '--mode', 'warn');
  await hook('recall.cjs', { ...before, tool_name: 'Edit', tool_input: { file_path: 'a.ts' } });
  await hook('session-pause.cjs', { hook_event_name: 'Stop', session_id: 's' });
  await memd('drain');

  const { hits } = JSON.parse(await mem('search', query, '--json', '--why'));
  const id = String(hits[0].id);
  await mem('why', query, id);
  await mem('show', id);
  await mem('timeline', id);
  await mem('pin', id);
  await mem('recent');
  await mem('sessions');
  await memd('focus', 'the build');
  await askPage(home, await memd('web', '--json'));
  await askTools(home, env);

  await memd('backfill');
  await memd('monitor', '--once');
  await memd('doctor');
  await memd('info');
  await memd('logs');
  await memd('scope', 'check', 'a.ts');
  await memd('completion', 'bash');
  await mem('prune', '--confirm');
  await mem('forget', id);
  const file = path.join(home.folder, 'all.ndjson');
  await mem('export', file);
  await mem('export', '--markdown');
  await mem('import', file);
  await memd('install');
  await memd('install', 'claude-code', '--dry-run');
  await memd('install', 'codex');
  await memd('restart');
  await memd('stop');
  // Without a daemon.
  await hook('capture-observation.cjs', { ...after, tool_use_id: 'read-2' });
  await mem('import', file);
  await memd('drain');
  await memd('uninstall', '--all', '--delete-data');
  // Whatever was written on the way is known to the one that removes it.
  expect(fs.readdirSync(home.home).filter((name) => name === '.memd')).toEqual([]);
}

/** The page's server, as the browser asks it. */
async function askPage(home: Home, web: string): Promise<void> {
  const { url }: { url: string } = JSON.parse(web);
  const token = fs.readFileSync(home.workspace().token, 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  for (const target of ['/', '/api/status', '/api/summaries', '/api/sessions'])
    expect((await fetch(url + target, { headers })).status).toBe(200);
  const body = JSON.stringify({ query });
  const found = await fetch(`${url}/api/search`, { method: 'POST', headers, body });
  expect(found.status).toBe(200);
}

/** `memd mcp`, as an assistant asks it. */
async function askTools(home: Home, env: Readonly<Record<string, string>>): Promise<void> {
  const { client } = connect(home, { env: { ...env } });
  try {
    const protocolVersion = '2025-06-18';
    const clientInfo = { name: 'a test', version: '1' };
    await client.request('initialize', { protocolVersion, clientInfo, capabilities: {} });
    client.notify('notifications/initialized');
    const found = await client.request('tools/call', { name: 'mem_search', arguments: { query } });
    expect(found).toMatchObject({ result: { structuredContent: { hits: expect.any(Array) } } });
  } finally {
    await closeServers();
  }
}
