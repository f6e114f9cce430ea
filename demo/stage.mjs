// Where the demonstration plays: a temporary HOME and project, the built commands run in them, and an end that
// leaves neither a process nor a file.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const scripts = {
  memd: 'memd.cjs',
  mem: 'mem.cjs',
  hook: 'capture-observation.sh',
  pause: 'session-pause.mjs',
};
const endPatienceMs = 5_000;

export function openStage() {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'memd-demo-')));
  const home = path.join(base, 'home');
  const project = path.join(base, 'harbour');
  mkdirSync(home, { mode: 0o700 });
  // An empty `.git` is all that makes a folder a project here.
  mkdirSync(path.join(project, '.git'), { recursive: true });
  return { base, home, project, dist };
}

/**
 * Runs one of the built commands and settles when it has ended. `input` goes to its stdin; without `capture` it
 * has this terminal. It runs in a process group of its own, so that a Ctrl-C never cuts a start or a stop in two.
 */
export function run(stage, name, args, { input = '', capture = false } = {}) {
  const output = capture ? 'pipe' : 'inherit';
  const program = scripts[name].endsWith('.sh') ? '/bin/sh' : process.execPath;
  const child = spawn(program, [dist + scripts[name], ...args], {
    cwd: stage.project,
    env: environment(stage),
    detached: true,
    stdio: ['pipe', output, output],
  });
  const result = { status: null, stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    result.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    result.stderr += text;
  });
  // A child that ends before it has read its input says why by its status.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ ...result, status }));
  });
}

/** Nothing of the caller's environment that could lead to a model, a key or another memory. */
function environment({ home, project }) {
  const kept = ['PATH', 'TERM', 'COLORTERM', 'NO_COLOR', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
  return {
    ...Object.fromEntries(kept.filter((name) => process.env[name]).map((name) => [name, process.env[name]])),
    HOME: home,
    CLAUDE_PROJECT_DIR: project,
    // No server listens there, so every run works without a model.
    LOCALLLM_HOST: '127.0.0.1:4',
  };
}

/** Writes what a call wrote, so that the memory of it is true: the file as it was, with the change in it. */
export function leaveFile({ project }, { json }) {
  const { tool_name: tool, tool_input: input = {}, tool_response: response = {} } = JSON.parse(json);
  if (!['Write', 'Edit'].includes(tool) || !input.file_path?.startsWith(`${project}/`)) return;
  const file = input.file_path;
  mkdirSync(path.dirname(file), { recursive: true });
  const before = existsSync(file) ? readFileSync(file, 'utf8') : (response.originalFile ?? '');
  const { old_string: old = '', new_string: text = '' } = input;
  const edited = old !== '' && before.includes(old) ? before.replace(old, () => text) : `${before}${text}\n`;
  writeFileSync(file, tool === 'Write' ? input.content : edited);
}

/** Every file below HOME, with its bytes. */
export function filesOf({ home }) {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath ?? entry.path, entry.name)));
}

/** The end of the daemon's own log; empty when there is none. */
export function logTail({ home }, lines) {
  const folder = path.join(home, '.memd', 'default', 'logs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    readFileSync(path.join(folder, name), 'utf8').trim().split('\n').slice(-lines),
  );
}

/** Ends the daemon and, unless they are to be kept, removes the folders. Answers what is left: nothing is `[]`. */
export async function clear(stage, { keep }) {
  const pid = daemonPid(stage);
  await run(stage, 'memd', ['stop'], { capture: true });
  const left = [];
  if (pid !== null && !(await ended(pid))) {
    process.kill(pid, 'SIGKILL');
    if (!(await ended(pid))) left.push(`the daemon, pid ${pid}`);
  }
  if (keep) return left;
  rmSync(stage.base, { recursive: true, force: true, maxRetries: 5 });
  return existsSync(stage.base) ? [...left, stage.base] : left;
}

/** The HOME is ours alone, so the pid in it is our daemon's. */
export function daemonPid({ home }) {
  const workspaces = path.join(home, '.memd', 'default', 'workspaces');
  if (!existsSync(workspaces)) return null;
  for (const key of readdirSync(workspaces)) {
    const file = path.join(workspaces, key, 'run.pid');
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN;
    if (Number.isInteger(pid) && pid > 1) return pid;
  }
  return null;
}

async function ended(pid) {
  const deadline = performance.now() + endPatienceMs;
  while (performance.now() < deadline) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
