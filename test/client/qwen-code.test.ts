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
import { prove } from './prove.ts';
import { completions } from './stubs/completions.ts';
import { Trial } from './trial.ts';

const qwen: Assistant = {
  name: 'qwen-code',
  dialect: completions,
  program: (modules) => path.join(modules, '.bin/qwen'),
  args: ['--yolo', '--prompt', asked],
  env: (url) => ({
    OPENAI_API_KEY: 'not-a-key-of-anyone',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'scripted',
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
  }),
  configuration: () => ({
    '.qwen/settings.json': `{
    "$version": 4,
    "security": {"auth": {"selectedType": "openai"}},
    "hooks": { "Stop": [ {"hooks": [ {"type": "command", "command": "${ownHook}"} ]} ] }
}
`,
  }),
  calls: (project) => ({
    succeeds: shell(succeedingCommand),
    fails: shell(failingCommand),
    writes: { name: 'write_file', input: { file_path: `${project}/made.txt`, content: written } },
    denied: { name: 'write_file', input: { file_path: `${project}/private/no.txt`, content: written } },
    searches: { name: 'mcp__memd__mem_search', input: { query: searchedFor } },
  }),
  reports: {
    shell: 'run_shell_command',
    write: 'write_file',
    failed: true,
    callIds: true,
    context: true,
    // Without a terminal it sends no SessionEnd.
    end: false,
    transcript: true,
  },
};

const program = prove(qwen);

test.skipIf(program === null)('with a failure the model of qwen-code gets what worked days ago', async () => {
  const wrong = './millwright grind-all ./ears';
  const calls = (project: string) => ({ ...qwen.calls(project), fails: shell(wrong) });
  const trial = await Trial.open({ ...qwen, calls }, program ?? '', { 'inject.recall': 'failures' });
  onTestFinished(() => trial.close());
  const { home } = trial;
  const said = "millwright: unrecognized subcommand 'grind-all'";
  const script = `#!/bin/sh\necho "${said}" >&2\nexit 2\n`;
  fs.writeFileSync(path.join(home.project, 'millwright'), script, { mode: 0o755 });
  await home.start();
  const past = { tool: 'Bash', sessionId: 'days-ago', client: 'claude-code', cwd: home.project };
  const [failed, worked] = ['2026-01-05T09:00:00.000Z', '2026-01-05T09:01:00.000Z'];
  const failure = { input: { command: wrong }, output: `Exit code 2\n${said}`, isError: true, ts: failed };
  await home.capture({ ...past, ...failure, toolUseId: 'then-1' });
  const right = { command: './millwright grind --all ./ears' };
  await home.capture({ ...past, input: right, output: 'ground', ts: worked, toolUseId: 'then-2' });
  expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
  expect(await trial.install('--recall')).toMatchObject({ code: 0 });
  expect(await trial.session()).toMatchObject({ code: 0 });
  const [before, after] = [1, 2].map((at) => JSON.stringify(trial.model.turns[at]));
  expect(before).not.toContain('worked then');
  expect(after).toMatch(/memd-record.*worked then: `\.\/millwright grind --all \.\/ears`/s);
});

function shell(command: string) {
  return { name: 'run_shell_command', input: { command, description: 'a step', is_background: false } };
}
