// What Linux shows of a process from outside.
import fs from 'node:fs';

/** A number of `/proc/PID/status`, of the whole process or of one of its threads: KiB or a count. */
function statusOf(file, field) {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(fs.readFileSync(file, 'utf8'))[1]);
}

export function threadsAndMemory(pid) {
  const file = `/proc/${pid}/status`;
  return { rssKiB: statusOf(file, 'VmRSS'), threads: statusOf(file, 'Threads') };
}

export function descriptorsOf(pid) {
  return fs.readdirSync(`/proc/${pid}/fd`).length;
}

/** How often the threads have gone to sleep by themselves. */
export function wakesOf(pid) {
  return sum(tasksOf(pid).map((task) => statusOf(`${task}/status`, 'voluntary_ctxt_switches')));
}

/** Command lines of those that live at this moment, whichever thread began them. */
export function childrenOf(pid) {
  const each = tasksOf(pid).map((task) => fs.readFileSync(`${task}/children`, 'utf8').split(' '));
  return each.flat().filter(Boolean).map(commandLineOf);
}

/** The command line of every process, its words parted by NUL. */
export function commandLines() {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLineOf);
}

function commandLineOf(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

export function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}

function tasksOf(pid) {
  return fs.readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
}
