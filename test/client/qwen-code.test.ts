import path from 'node:path';
import { asked, failingCommand, ownHook, searchedFor, succeedingCommand, written } from './assistant.ts';
import { prove } from './prove.ts';
import { completions } from './stubs/completions.ts';

prove({
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
});

function shell(command: string) {
  return { name: 'run_shell_command', input: { command, description: 'a step', is_background: false } };
}
