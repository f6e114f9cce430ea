import path from 'node:path';
import { asked, failingCommand, ownHook, searchedFor, succeedingCommand, written } from './assistant.ts';
import { prove } from './prove.ts';
import { gemini } from './stubs/gemini.ts';

prove({
  name: 'gemini-cli',
  dialect: gemini,
  program: (modules) => path.join(modules, '.bin/gemini'),
  args: ['--yolo', '--skip-trust', '--model', 'gemini-2.5-flash', '--prompt', asked],
  env: (url) => ({ GEMINI_API_KEY: 'not-a-key-of-anyone', GOOGLE_GEMINI_BASE_URL: url }),
  configuration: () => ({
    '.gemini/settings.json': `{
  // mine
  "security": {"auth": {"selectedType": "gemini-api-key"}},
\t"hooks": { "AfterAgent": [ {"hooks": [ {"type": "command", "command": "${ownHook}"} ]} ] }
}`,
  }),
  calls: (project) => ({
    succeeds: { name: 'run_shell_command', input: { command: succeedingCommand, description: 'say' } },
    fails: { name: 'run_shell_command', input: { command: failingCommand, description: 'fail' } },
    writes: { name: 'write_file', input: { file_path: `${project}/made.txt`, content: written } },
    denied: { name: 'write_file', input: { file_path: `${project}/private/no.txt`, content: written } },
    searches: { name: 'mcp_memd_mem_search', input: { query: searchedFor } },
  }),
  reports: {
    shell: 'run_shell_command',
    write: 'write_file',
    failed: true,
    callIds: false,
    context: true,
    end: true,
    transcript: true,
    error: false,
  },
});
