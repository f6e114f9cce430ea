import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { processesOf } from '../support/processes.ts';
import { builtPlugin, closeDesks, openDesk, removePlugin } from './desk.ts';
import { bash, call } from './reply.ts';
import { claude, session, title } from './session.ts';

afterEach(closeDesks);
afterAll(removePlugin);

/** What makes, changes or removes a file. */
const changing = [
  ...['openat', 'open', 'creat', 'truncate', 'mkdir', 'mkdirat', 'rename', 'renameat', 'renameat2', 'bind'],
  ...['link', 'linkat', 'symlink', 'symlinkat', 'unlink', 'unlinkat', 'rmdir', 'chmod', 'fchmodat'],
];
const tracer = ['strace', '-f', '-qq', '-y', '--seccomp-bpf', '-e', `trace=?${changing.join(',?')}`];
const canTrace = spawnSync('strace', [...tracer.slice(1), '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) console.error('skipped: strace is not here, or may not trace');

describe.skipIf(claude === null || !canTrace)(`a session of ${title}, traced`, () => {
  test('changes nothing outside of its HOME and project, and leaves the daemon alone behind', async () => {
    const desk = await openDesk();
    const { home, model } = desk;
    const plugin = builtPlugin();
    let atTheEnd = (): void => {};
    const ending = new Promise<void>((resolve) => {
      atTheEnd = resolve;
    });
    model.play([
      bash('echo grain'),
      call('Write', { file_path: path.join(home.project, 'mill.txt'), content: 'stone' }),
      call('mcp__plugin_memd_memd__mem_search', { query: 'grain' }),
      { before: () => atTheEnd(), say: 'bye' },
    ]);
    const trace = path.join(home.folder, 'trace');
    const before = [...tracer, '-o', trace];
    const traced = session(desk, { plugin, before });
    await Promise.race([ending, traced]);
    // The tracer stays as long as the daemon does.
    const alive = () => processesOf(home.folder).filter(({ command }) => !command.startsWith('strace '));
    // Of daemons that hooks start at the same time all but one end, in their own time.
    await until('one daemon and nothing else', () => {
      const [one, ...others] = alive();
      return one !== undefined && others.length === 0 && home.daemons().includes(one.pid);
    });
    expect(await home.memd(['stop'])).toMatchObject({ code: 0 });
    await traced;
    const outside = changedFiles(fs.readFileSync(trace, 'utf8')).filter(
      (file) => !isBelow(file, home.folder),
    );
    expect(outside).toEqual([]);
    expect(fs.readdirSync(home.project)).toEqual(['mill.txt']);
  });
});

/** The files that calls which succeeded made, changed or removed; a relative name without its folder stays relative. */
function changedFiles(trace: string): string[] {
  const found = wholeLines(trace).flatMap((line) => {
    if (/ = -1 E|O_RDONLY|O_PATH|AF_(INET|NETLINK)/.test(line)) return [];
    const [, folder = ''] = /\((?:AT_FDCWD|\d+)<([^>]*)>/.exec(line) ?? [];
    const names = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, name = '']) => name);
    return names.map((name) => (path.isAbsolute(name) ? name : path.join(folder, name)));
  });
  return [...new Set(found)];
}

/** The tracer splits a call that another process interrupts. */
function wholeLines(trace: string): string[] {
  const begun = new Map<string, string>();
  return trace.split('\n').flatMap((line) => {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const [, start] = /^(.*)<unfinished \.\.\.>$/.exec(rest) ?? [];
    if (start !== undefined) begun.set(pid, start);
    if (start !== undefined) return [];
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? [];
    return [end === undefined ? rest : `${begun.get(pid) ?? ''}${end}`];
  });
}

function isBelow(file: string, folder: string): boolean {
  if (!path.isAbsolute(file)) return true;
  return [`${folder}/`, '/dev/', '/proc/'].some((allowed) => file.startsWith(allowed));
}
