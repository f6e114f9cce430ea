// A temporary home with a project in it, for benchmarks: nothing is left behind.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { root } from '../scripts/ready.mjs';

/** `dist` is the folder of the build that is run. */
export function temporaryPlace({ dist = `${root}dist` } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-'));
  const project = `${folder}/project`;
  fs.mkdirSync(`${project}/.git`, { recursive: true });
  fs.mkdirSync(`${folder}/home`);
  // A clean environment: no model address, no key, no certificates that cost every start 50 ms.
  const env = { PATH: process.env.PATH, HOME: `${folder}/home` };
  const options = { cwd: project, env, encoding: 'utf8' };
  const memd = (...args) => execFileSync(process.execPath, [`${dist}/memd.cjs`, ...args], options);
  return {
    folder,
    project,
    env,
    memd,
    /** The same without waiting for it here. */
    memdBeside: (...args) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [`${dist}/memd.cjs`, ...args], {
          ...options,
          stdio: 'ignore',
        });
        child.on('exit', (code) =>
          code === 0 ? resolve() : reject(new Error(`memd ${args[0]}: exit ${code}`)),
        );
      }),
    info: () => JSON.parse(memd('info', '--json')),
    socket: () => {
      const workspaces = `${folder}/home/.memd/default/workspaces`;
      return `${workspaces}/${fs.readdirSync(workspaces)[0]}/memd.sock`;
    },
    end: () => {
      memd('stop');
      fs.rmSync(folder, { recursive: true });
    },
  };
}

/** A connection to the daemon that asks one thing after the other. */
export function openLine(socket) {
  const client = net.connect(socket);
  client.setEncoding('utf8');
  let rest = '';
  let answered = () => {};
  client.on('data', (chunk) => {
    rest += chunk;
    if (!rest.endsWith('\n')) return;
    const reply = JSON.parse(rest);
    rest = '';
    answered(reply);
  });
  return {
    ask: (request) =>
      new Promise((resolve) => {
        answered = resolve;
        client.write(`${JSON.stringify(request)}\n`);
      }),
    close: () => client.destroy(),
  };
}

export function quantile(values, q) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

/** `count` endless loops that keep processors busy, each until it is killed or its parent has ended. */
export function busyLoops(count) {
  const script = `const { ppid } = process; while (process.ppid === ppid) for (let i = 0; i < 1e8; i += 1);`;
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', script], { stdio: 'ignore' }));
}
