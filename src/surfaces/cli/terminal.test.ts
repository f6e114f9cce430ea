import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWorkspace } from '#core/workspace';
import type { Io } from './io.ts';
import { memd } from './memd.ts';
import { programOf, runProgram } from './program.ts';

let home: string;
let project: string;

beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-terminal-')));
  project = path.join(home, 'mill');
  fs.mkdirSync(path.join(project, '.memd'), { recursive: true });
  fs.mkdirSync(path.join(home, '.codex'));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

/** What a command says on a terminal: `<green>` where a style begins, `<>` where it ends. */
async function said(...words: string[]): Promise<string> {
  const lines: string[] = [];
  await runProgram(memd, terminal(100, lines), words);
  return lines.join('\n').replaceAll('\u001b<', '<');
}

function terminal(columns: number, lines: string[]): Io {
  return {
    env: { HOME: home },
    cwd: project,
    isTerminal: true,
    showsProgress: false,
    columns,
    out: (text) => lines.push(text),
    raw: (text) => lines.push(text),
    note: (text) => lines.push(text),
    progress: () => {},
    style: (style, text) => `\u001b<${String(style)}>${text}\u001b<>`,
  };
}

test.each([60, 80])('the help of each command fits a terminal of %d columns', async (columns) => {
  const program = await programOf(memd, terminal(columns, []));
  for (const one of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    const wide = one
      .helpInformation()
      .split('\n')
      .filter((line) => line.length > columns);
    expect({ command: one.name(), wide }).toEqual({ command: one.name(), wide: [] });
  }
});

/** What a terminal would obey. */
const acts = /\u001b|\u009b/;

describe('on a terminal, what is said is coloured, and what is stored does nothing', () => {
  test('logs', async () => {
    const { daemonLog } = findWorkspace({ HOME: home }, project);
    fs.mkdirSync(path.dirname(daemonLog), { recursive: true, mode: 0o700 });
    const entry = {
      level: 40,
      time: '2026-01-31T12:00:00.000Z',
      pid: 1,
      root: '/a\u009b2J',
      msg: 'b\u001bc',
    };
    fs.writeFileSync(daemonLog, `${JSON.stringify(entry)}\n{"level":30,"ti\u001b`);
    expect(await said('logs')).toBe(
      '<dim>2026-01-31T12:00:00.000Z<> <yellow>warn <> bc <dim>root=/a2J<>\n{"level":30,"ti',
    );
  });

  test('install and uninstall', async () => {
    expect(await said('install')).toMatch(/^codex +<dim>not connected<>$/m);
    expect(await said('install', 'codex')).toMatch(/^<green>\S+ *<> ~\/\.codex\/\S+$/m);
    expect(await said('uninstall', '--all')).toMatch(/^<green>\S+ *<> ~\/\.codex\/\S+$/m);
  });

  test('info', async () => {
    fs.writeFileSync(path.join(project, '.memd/scope.json'), '{"allow": \u001b[2J}');
    const info = await said('info');
    expect(info).toContain('<red>.memd/scope.json is NOT in force');
    expect(info).not.toMatch(acts);
    expect(await said('status')).toBe(info);
  });
});
