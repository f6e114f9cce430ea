import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type Json } from '#core/event';
import { dist, type Home } from '../../support/home.ts';
import { isolatedEnv } from '../support/isolation.ts';
import { clientPackage } from '../support/package.ts';
import { type Ended, runProgram } from '../support/program.ts';
import type { Desk } from './desk.ts';
import type { ScriptedModel } from './model.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { title, modules } = clientPackage('claude-code');

export { title };

/** The native program; null when it is not in the cache. It comes as the one optional package that fits this system. */
export const claude = modules === null ? null : programIn(path.join(modules, '@anthropic-ai'));

function programIn(scope: string): string | null {
  const files = fs
    .readdirSync(scope)
    .filter((name) => name.startsWith('claude-code-'))
    .flatMap((name) => ['claude', 'claude.exe'].map((file) => path.join(scope, name, file)));
  const found = files.find((file) => fs.existsSync(file)) ?? null;
  if (found === null) console.error(`skipped: ${title} has no program for this system`);
  return found;
}

/** Makes the plugin as it is handed out, below `folder`, in one with a blank in its name. Answers its path. */
export function buildPlugin(folder: string, name = 'plug in'): string {
  const plugin = path.join(folder, name);
  const env = { ...process.env, MEMD_DIST: dist };
  execFileSync(process.execPath, [path.join(root, 'scripts/plugin.mjs'), plugin], { env });
  return plugin;
}

/** What the client runs with: nothing of this machine's own but the path, and no request but the conversation's. */
export function clientEnv(home: Home, model: ScriptedModel): Record<string, string> {
  return {
    ...home.env(),
    ...isolatedEnv(),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'not-a-key-of-anyone',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    TMPDIR: path.join(home.folder, 'tmp'),
    // Where zsh puts its here-documents; it heeds no TMPDIR.
    TMPPREFIX: path.join(home.folder, 'tmp', 'zsh'),
  };
}

export interface SessionOptions {
  /** Given by `--plugin-dir`; not given where the plugin is installed, or for a session without it. */
  readonly plugin?: string;
  /** The tools that need no permission. */
  readonly allowed?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the client's command: a tracer. */
  readonly before?: readonly string[];
}

export interface Session {
  readonly id: string;
  readonly tookMs: number;
  /** What the client says of the whole session. */
  readonly report: Readonly<Record<string, Json>>;
}

export const usualTools = ['Bash', 'Read', 'Write', 'Edit', 'mcp__plugin_memd_memd__mem_search'];

/** One session of the real client, without a terminal, to its end; the model's answers must have been given to it. */
export async function session(desk: Desk, options: SessionOptions = {}): Promise<Session> {
  const { plugin, allowed = usualTools, args = [], env = {}, before = [] } = options;
  const all = ['-p', 'Do it.', '--output-format', 'json', ...args];
  if (allowed.length > 0) all.push('--allowedTools', allowed.join(' '));
  if (plugin !== undefined) all.push('--plugin-dir', plugin);
  const { code, stdout, stderr, tookMs } = await runClaude(desk, all, { env, before });
  if (code !== 0) throw new Error(`the session ended with ${code}\n${stdout}\n${stderr}`);
  const report: Json = JSON.parse(stdout);
  if (!isObject(report) || typeof report.session_id !== 'string') throw new Error(`no report: ${stdout}`);
  return { id: report.session_id, tookMs, report };
}

export type RunExtra = Pick<SessionOptions, 'env' | 'before'> & { readonly input?: string };

/** The client with any arguments, in the desk's project. */
export function runClaude(
  { home, model }: Desk,
  args: readonly string[],
  { env = {}, before = [], input = '' }: RunExtra = {},
): Promise<Ended> {
  if (claude === null) throw new Error('the client is not there');
  const [command = claude, ...rest] = [...before, claude, ...args];
  fs.mkdirSync(path.join(home.folder, 'tmp'), { recursive: true });
  return runProgram(command, rest, { cwd: home.project, env: { ...clientEnv(home, model), ...env }, input });
}

/**
 * One session of several prompts, of which some may be the client's own commands. Answers what it puts out, a JSON object a
 * line: what hooks say to the person is among that.
 */
export async function talk(desk: Desk, plugin: string, prompts: readonly string[]): Promise<string[]> {
  const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const args = ['-p', ...streams, '--include-hook-events', '--plugin-dir', plugin, '--allowedTools', 'Bash'];
  const messages = prompts.map((content) => ({ type: 'user', message: { role: 'user', content } }));
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const { code, stdout, stderr } = await runClaude(desk, args, { input });
  if (code !== 0) throw new Error(`the session ended with ${code}\n${stdout}\n${stderr}`);
  return stdout.split('\n').filter(Boolean);
}
