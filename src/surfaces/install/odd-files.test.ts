import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findAssistant } from './assistants.ts';
import { backupsOf } from './config-file.ts';
import { carryOut, isEmpty, noOptions, planInstall, planUninstall } from './install.ts';
import { notesFor } from './notes.ts';
import { ownPrograms } from './programs.ts';
import { assistantState, assistantStates } from './state.ts';

let home: string;
const programs = { node: process.execPath, dist: '/opt/memd/dist' };

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-odd-files-'));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const env = () => ({ HOME: home, PATH: '' });

function inHome(file: string, text?: string): string {
  const target = path.join(home, file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if (text !== undefined) fs.writeFileSync(target, text);
  return target;
}

function assistantOf(name: string) {
  const assistant = findAssistant(name);
  if (assistant === null) throw new Error(name);
  return assistant;
}

const plan = (name: string, own = programs) =>
  planInstall(assistantOf(name), { env: env(), programs: own, options: noOptions });
const install = (name: string, own = programs) => carryOut(plan(name, own), env());
const uninstall = (name: string) => carryOut(planUninstall(assistantOf(name), env(), programs), env());

test.each([
  ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
  ['a folder', (file: string) => fs.mkdirSync(file)],
])('%s instead of a settings file is reported and blocks nothing', (_what, make) => {
  make(inHome('.config/opencode/opencode.json'));
  expect(() => plan('opencode')).toThrow(/opencode\.json is not a file/);
  expect(assistantState(assistantOf('opencode'), env(), programs)).toMatchObject({
    state: 'unreadable',
    files: [],
  });
});

test('a file instead of the settings folder is reported', () => {
  inHome('.claude', 'what is this');
  const [claude] = assistantStates(env(), programs);
  expect(claude).toMatchObject({ name: 'claude-code', state: 'unreadable', files: [] });
});

test('a folder that is named as a backup is none', () => {
  const file = inHome('.claude/settings.json', '{}');
  fs.mkdirSync(`${file}.memd-backup-20260101T000000Z`);
  install('claude-code');
  expect(backupsOf(file)).toHaveLength(1);
  uninstall('claude-code');
  expect(fs.readFileSync(file, 'utf8')).toBe('{}');
});

test('the next change removes temporary files of a killed process, not those of a running one', () => {
  const file = inHome('.claude/settings.json', '{}');
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const [left, written] = [`${file}.memd-${gone}.tmp`, `${file}.memd-${process.ppid}.tmp`];
  for (const one of [left, written]) fs.writeFileSync(one, '{"env":"secret"}');
  install('claude-code');
  expect([left, written].map((one) => fs.existsSync(one))).toEqual([false, true]);
});

test('the node of a folder that fnm makes for one shell is not written down', () => {
  const folder = path.join(home, 'fnm_multishells/12_34/bin');
  fs.mkdirSync(folder, { recursive: true });
  fs.symlinkSync(process.execPath, path.join(folder, 'node'));
  expect(ownPrograms({ HOME: home, PATH: folder }).node).toBe(process.execPath);
});

test.each(['/home/a]b/dist', '/home/[x] \'y\' "z"/dist'])(
  'Codex: a server below %s is known again',
  (dist) => {
    const before = 'model = "m"\n';
    const file = inHome('.codex/config.toml', before);
    const own = { ...programs, dist };
    install('codex', own);
    expect(isEmpty(plan('codex', own))).toBe(true);
    uninstall('codex');
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
  },
);

test.each(['\n', '\r\n'])('Codex: other settings of our entry stay when it is updated (%j)', (end) => {
  const before = `model = "m"${end}`;
  const file = inHome('.codex/config.toml', before);
  install('codex', { ...programs, dist: '/old/memd/dist' });
  const written = fs.readFileSync(file, 'utf8');
  const own = `startup_timeout_sec = 30${end}enabled = false # for now${end}`;
  fs.writeFileSync(file, written.replace(`env_vars = ["MEMD_NS"]${end}`, own));
  install('codex');
  const rest = `${own}env_vars = ["MEMD_NS"]${end}`;
  const expected = written
    .replace('/old/memd/dist', programs.dist)
    .replace(`env_vars = ["MEMD_NS"]${end}`, rest);
  expect(fs.readFileSync(file, 'utf8')).toBe(expected);
  expect(isEmpty(plan('codex'))).toBe(true);
  uninstall('codex');
  expect(fs.readFileSync(file, 'utf8')).toBe(before);
});

test('Codex: servers written as one value are left alone, in words: TOML lets nothing be added to them', () => {
  const text = 'a = 1\nmcp_servers = { other = { command = "x" } }\n';
  const file = inHome('.codex/config.toml', text);
  expect(() => plan('codex')).toThrow(/config\.toml line 2: mcp_servers is written as a value/);
  expect(isEmpty(planUninstall(assistantOf('codex'), env(), programs))).toBe(true);
  fs.writeFileSync(file, 'mcp_servers = { memd = { command = "memd", args = ["mcp"] } }\n');
  expect(() => planUninstall(assistantOf('codex'), env(), programs)).toThrow(/is written as a value/);
});

test.runIf(process.getuid?.() === 0)('what root makes in the home of another is for its owner', () => {
  const [uid, gid] = [12_345, 12_346];
  inHome('.claude/settings.json', '{}');
  for (const made of [home, path.join(home, '.claude'), path.join(home, '.claude/settings.json')])
    fs.chownSync(made, uid, gid);
  for (const name of ['claude-code', 'codex', 'opencode']) install(name);
  const all = fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(home, name));
  expect(all.length).toBeGreaterThan(8);
  expect(all.filter((made) => fs.statSync(made).uid !== uid || fs.statSync(made).gid !== gid)).toEqual([]);
});

test('a note says that MEMD_NS is not stored in the settings', () => {
  const notes = (more: object) => notesFor(assistantOf('codex'), { ...env(), ...more }, programs).join('\n');
  expect(notes({ MEMD_NS: 'work' })).toContain('set it also where you start Codex');
  expect(notes({})).not.toContain('MEMD_NS');
});
