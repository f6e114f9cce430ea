import path from 'node:path';
import { asked, failingCommand, ownHook, searchedFor, succeedingCommand, written } from './assistant.ts';
import { prove } from './prove.ts';
import { completions } from './stubs/completions.ts';

prove({
  name: 'copilot-cli',
  dialect: completions,
  program: (modules) => path.join(modules, '.bin/copilot'),
  args: ['--allow-all-tools', '--allow-all-paths', '--prompt', asked],
  // A provider of one's own, and nothing of the service's: no account is needed.
  env: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_MODEL: 'scripted',
  }),
  configuration: () => ({
    '.copilot/hooks/mine.json': `{"version": 1, "hooks": {"sessionEnd": [{"type": "command", "bash": "${ownHook}"}]}}`,
    '.copilot/mcp-config.json': '{ "mcpServers": { } }',
  }),
  calls: (project) => ({
    succeeds: { name: 'bash', input: { command: succeedingCommand, description: 'say' } },
    fails: { name: 'bash', input: { command: failingCommand, description: 'fail' } },
    writes: { name: 'create', input: { path: `${project}/made.txt`, file_text: written } },
    denied: { name: 'create', input: { path: `${project}/private/no.txt`, file_text: written } },
    searches: { name: 'memd-mem_search', input: { query: searchedFor } },
  }),
  reports: {
    shell: 'bash',
    write: 'create',
    failed: true,
    callIds: false,
    context: true,
    end: true,
    transcript: true,
  },
});
