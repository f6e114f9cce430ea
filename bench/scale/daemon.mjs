// The real daemon on a filled store: started, asked through its socket, looked at from outside.
import { execFileSync, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openLine, quantile } from '../place.mjs';

/** A home with one workspace in it, whose daemon has nothing to do but what it is asked. */
export function homeIn(folder, dist) {
  const project = path.join(folder, 'project');
  const home = path.join(folder, 'home');
  const settings = path.join(home, '.memd', 'default');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  fs.mkdirSync(settings, { recursive: true, mode: 0o700 });
  // One tick an hour, and a model's address where nobody listens.
  const config = { drain: { tickMs: 3_600_000 }, localllm: { endpoint: 'http://127.0.0.1:9' } };
  fs.writeFileSync(path.join(settings, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  const env = { PATH: process.env.PATH, HOME: home };
  for (const command of ['start', 'stop'])
    execFileSync(process.execPath, [path.join(dist, 'memd.cjs'), command], { cwd: project, env });
  const workspaces = path.join(settings, 'workspaces');
  const workspace = path.join(workspaces, fs.readdirSync(workspaces)[0]);
  return {
    database: path.join(workspace, 'db.sqlite'),
    socket: path.join(workspace, 'memd.sock'),
    start: () => started(path.join(dist, 'daemon.cjs'), project, env),
  };
}

/** From the start of the process to its word that it is ready. */
async function started(script, project, env) {
  const began = performance.now();
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = fork(script, ['--root', project], { env, stdio });
  const message = await new Promise((resolve) => {
    child.on('message', (one) => {
      if (one.kind !== 'begun' && one.kind !== 'waiting') resolve(one);
    });
  });
  const ms = performance.now() - began;
  if (message.kind !== 'ready') throw new Error(JSON.stringify(message));
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });
  return { pid: child.pid, ms, stop };
}

/** Memory of a process in MiB; Linux shows it. */
export function memoryOf(pid) {
  if (process.platform !== 'linux') return { rss: 0, pss: 0, own: 0 };
  const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mib = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)[1]) / 1024);
  return { rss: mib('Rss'), pss: mib('Pss'), own: mib('Anonymous') };
}

/** Processor time that a process has taken, all threads, in ms: what other work on the machine does not stretch. */
export function processorMs(pid) {
  if (process.platform !== 'linux') return 0;
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  // Ticks of user and system time; Linux has a hundred a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Round trips in ms, one after the other on one connection; ends early when `until` says so. */
export async function ask(socket, requests, until = () => false) {
  const line = openLine(socket);
  const times = [];
  for (const request of requests) {
    if (until()) break;
    const began = performance.now();
    const reply = await line.ask(request);
    times.push(performance.now() - began);
    if (!reply.ok) throw new Error(JSON.stringify(reply));
  }
  line.close();
  return times;
}

/** Captures of 2 KB, one after the other, during searches that never pause. */
export async function capturesBeside(socket, queries, count) {
  let done = false;
  const searches = async () => {
    while (!done) await ask(socket, queries, () => done);
  };
  const storm = searches();
  const captures = Array.from({ length: count }, (_, at) => ({
    op: 'capture',
    tool: 'Bash',
    input: { command: `echo ${at}` },
    output: `line ${at}\n`.repeat(200),
    sessionId: 'bench',
    toolUseId: `bench-${process.pid}-${at}-${Date.now()}`,
  }));
  const times = await ask(socket, captures);
  done = true;
  await storm;
  return times;
}

export function quantiles(times) {
  const round = (ms) => Math.round(ms * 100) / 100;
  return { p50: round(quantile(times, 0.5)), p99: round(quantile(times, 0.99)) };
}
