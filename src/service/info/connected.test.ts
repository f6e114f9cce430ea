import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectedIn } from './index.ts';

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-connected-'));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

function write(file: string, value: object): void {
  fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
  fs.writeFileSync(path.join(home, file), JSON.stringify(value));
}

const connected = () => connectedIn({ HOME: home, PATH: '' });

test('an assistant is connected while its settings run our hook or switch on our plugin', () => {
  expect(connected()).toEqual([]);
  const handler = { type: 'command', command: '/bin/sh /opt/memd/dist/capture-observation.sh' };
  write('.codex/hooks.json', { hooks: { PostToolUse: [{ hooks: [handler] }] } });
  write('.claude/settings.json', { enabledPlugins: { 'memd@market': false } });
  expect(connected()).toEqual(['codex']);
  write('.claude/settings.json', { enabledPlugins: { 'memd@market': true } });
  expect(connected()).toEqual(['claude-code', 'codex']);
});

test('settings that are no file connect nothing', () => {
  fs.mkdirSync(path.join(home, '.claude/settings.json'), { recursive: true });
  expect(connected()).toEqual([]);
});
