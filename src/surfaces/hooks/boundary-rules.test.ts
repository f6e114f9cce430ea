import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ruleFileName } from '#core/limits';
import { layout } from '#core/workspace';
import { decide } from './boundary-decision.ts';

let project: string;
beforeAll(() => {
  project = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-decide-')));
  fs.mkdirSync(path.join(project, '.memd'));
  fs.writeFileSync(path.join(project, '.memd/scope.json'), '{"deny": ["**/.env"]}');
});
afterAll(() => fs.rmSync(project, { recursive: true, force: true }));

test.each([
  ['are not there', null],
  ['are longer than a glob may be', [{ id: 1, on: 'path', form: 'a'.repeat(70_000) }]],
])('a denial needs no rules of `mem rule add`, which %s', (_which, rules) => {
  const payload = {
    ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'echo > .env' } },
    ...{ session_id: 's', tool_use_id: 't', cwd: project },
  };
  const told = layout(fs.mkdtempSync(path.join(project, 'home-')), 'default', project);
  fs.mkdirSync(told.folder, { recursive: true });
  if (rules !== null) fs.writeFileSync(path.join(told.folder, ruleFileName), JSON.stringify(rules));
  expect(decide(payload, [project], 'claude-code', told).answer?.stdout).toContain('deny');
});
