import type { Assistant } from './assistant.ts';
import { asked, failingCommand, searchedFor, succeedingCommand, written } from './assistant.ts';
import { completions } from './stubs/completions.ts';

/** OpenCode or a fork of it; `program` is below its package's `node_modules`. */
export const likeOpencode = (name: 'opencode' | 'kilo', program: Assistant['program']): Assistant => ({
  name,
  dialect: completions,
  program,
  args: ['run', asked],
  // With a plugin there it installs a package of its own from the registry at the start, and waits for that: once is enough.
  env: () => ({
    [`${name.toUpperCase()}_DISABLE_MODELS_FETCH`]: '1',
    npm_config_fetch_retries: '0',
  }),
  configuration: (url) => ({
    [`.config/${name}/${name}.json`]: `{
  "$schema": "https://opencode.ai/config.json",
  "model": "scripted/scripted", // mine
  "autoupdate": false, "share": "disabled", "permission": "allow",
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible", "name": "scripted",
      "options": { "baseURL": "${url}/v1", "apiKey": "not-a-key-of-anyone" },
      "models": { "scripted": { "name": "scripted" } },
    },
  },
}`,
  }),
  calls: (project) => ({
    succeeds: { name: 'bash', input: { command: succeedingCommand, description: 'say' } },
    fails: { name: 'bash', input: { command: failingCommand, description: 'fail' } },
    writes: { name: 'write', input: { filePath: `${project}/made.txt`, content: written } },
    denied: { name: 'write', input: { filePath: `${project}/private/no.txt`, content: written } },
    searches: { name: 'memd_mem_search', input: { query: searchedFor } },
  }),
  // It keeps its sessions in a database.
  reports: {
    shell: 'bash',
    write: 'write',
    failed: true,
    callIds: true,
    context: true,
    end: false,
    transcript: false,
  },
});
