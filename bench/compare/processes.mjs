// Whole processes from the outside: their time, and what they hold.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Runs a shell command once, with `input`.
 * @returns {wallMs, cpuMs} the CPU of it and of everything it waited for
 */
export function timed(command, { input, env, cwd }) {
  const started = performance.now();
  const ran = spawnSync('bash', ['-c', `${command} >/dev/null 2>&1; times`], {
    input,
    env,
    cwd,
    encoding: 'utf8',
  });
  const wallMs = performance.now() - started;
  if (ran.status !== 0) throw new Error(`${command}: exit ${ran.status} ${ran.stderr}`);
  // The second line is the children's: user and system, as `0m0.123s`.
  const children = ran.stdout.trim().split('\n').at(-1);
  return { wallMs, cpuMs: children.split(' ').reduce((sum, time) => sum + milliseconds(time), 0) };
}

function milliseconds(time) {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(time);
  return (Number(minutes) * 60 + Number(seconds)) * 1000;
}

/** `pid` and all below it. */
export function family(pid) {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const one of found) for (const [child, parent] of all) if (parent === one) found.push(child);
  return found;
}

/** Resident memory of processes together, in MiB, what they share counted once for each. */
export function residentMiB(pids) {
  const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', pids.join(',')], { encoding: 'utf8' });
  return (
    kibibytes
      .trim()
      .split('\n')
      .reduce((sum, line) => sum + Number(line), 0) / 1024
  );
}

export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readStat(pid));
  } catch {
    // Gone, which is what was asked.
    return false;
  }
}

function readStat(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // No such file where there is no /proc.
    return '';
  }
}
