import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Assistant,
  asked,
  failingCommand,
  ownHook,
  searchedFor,
  succeedingCommand,
  written,
} from './assistant.ts';
import { trustHooks } from './codex-trust.ts';
import { prove } from './prove.ts';
import { responses } from './stubs/responses.ts';
import { Trial } from './trial.ts';

const codex: Assistant = {
  name: 'codex',
  dialect: responses,
  program: (modules) => path.join(modules, '.bin/codex'),
  args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', asked],
  env: () => ({}),
  configuration: (url) => ({
    '.codex/config.toml': `# mine
model = "gpt-5.5"
model_provider   = "scripted"  # on this machine

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
`,
    '.codex/hooks.json': `{ "hooks": {
   "Stop": [ { "hooks": [ { "type": "command", "command": "${ownHook}" } ] } ] } }`,
  }),
  calls: () => ({
    succeeds: { name: 'exec_command', input: { cmd: succeedingCommand } },
    fails: { name: 'exec_command', input: { cmd: failingCommand } },
    writes: { name: 'apply_patch', input: patch('made.txt') },
    denied: { name: 'apply_patch', input: patch('private/no.txt') },
    searches: { name: 'mem_search', namespace: 'mcp__memd', input: { query: searchedFor } },
  }),
  consent: trustHooks,
  // The trust in hooks, by their hashes.
  withoutItsOwn: (text) => text.replace(/\n\[hooks\.state(?:\.[^\n]*)?\]\n(?:trusted_hash = [^\n]*\n)?/g, ''),
  reports: {
    shell: 'Bash',
    write: 'apply_patch',
    failed: false,
    callIds: true,
    context: true,
    end: true,
    transcript: true,
  },
};

function patch(file: string): string {
  return `*** Begin Patch\n*** Add File: ${file}\n+${written}\n*** End Patch`;
}

const program = prove(codex);

test.skipIf(program === null)(
  'codex runs no hook that nobody has trusted: install says so, backfill has it all',
  async () => {
    const trial = await Trial.open(codex, program ?? '');
    onTestFinished(() => trial.close());
    const { stderr } = await trial.install();
    expect(stderr).toMatch(/\/hooks and trust/);
    const { code } = await trial.session();
    expect(code).toBe(0);
    expect(trial.stored()).toEqual([]);
    expect(fs.existsSync(path.join(trial.home.project, 'private/no.txt'))).toBe(true);
    // The server needs no trust; no hook has started the daemon.
    expect(trial.model.results[4]).toMatch(/is not running.*Call mem_search/);
    expect(await trial.backfill()).toMatchObject({ scanned: 1, captured: 6, duplicates: 0 });
    const stored = await trial.captured(4);
    expect(stored.map(({ tool, isError }) => [tool, isError])).toEqual([
      ['Bash', false],
      // Its transcript has the exit status.
      ['Bash', true],
      ['apply_patch', false],
      ['apply_patch', false],
    ]);
  },
);

test.skipIf(program === null)('before a command the model of codex gets the rule for it', async () => {
  const trial = await Trial.open(codex, program ?? '', { 'inject.sessionStart': false });
  onTestFinished(() => trial.close());
  const { home } = trial;
  await home.start();
  const add = ['rule', 'add', 'shout the greeting', '--command', succeedingCommand];
  expect(await home.mem(add)).toMatchObject({ code: 0 });
  await trial.install();
  await trustHooks(trial);
  expect(await trial.session()).toMatchObject({ code: 0 });
  const asked = trial.model.turns.map((turn) => JSON.stringify(turn).includes('shout the greeting'));
  expect([asked[0], asked.at(-1)]).toEqual([false, true]);
});
