import path from 'node:path';
import { asked, failingCommand, ownHook, searchedFor, succeedingCommand, written } from './assistant.ts';
import { prove } from './prove.ts';
import { completions } from './stubs/completions.ts';

prove({
  name: 'cline',
  dialect: completions,
  program: (modules) => path.join(modules, '.bin/cline'),
  args: [asked],
  env: (url) => ({
    // Longer than its usual 4 seconds: on a busy machine it goes on without plugins.
    CLINE_PLUGIN_IMPORT_TIMEOUT_MS: '120000',
    // Its daemon has one port for all homes: not that of a person's own, and below those that a system gives out.
    CLINE_HUB_PORT: String(Number(new URL(url).port) - 20_000),
  }),
  configuration: (url) => ({
    '.cline/data/settings/providers.json': JSON.stringify({
      ...{ version: 1, lastUsedProvider: 'openai-compatible', modes: {} },
      providers: {
        'openai-compatible': {
          settings: {
            ...{ provider: 'openai-compatible', apiKey: 'not-a-key-of-anyone', model: 'scripted' },
            baseUrl: `${url}/v1`,
          },
          ...{ updatedAt: '2026-11-26T10:00:00.000Z', tokenSource: 'manual' },
        },
      },
    }),
    // A hook file of the person's own, of an event that memd's plugin has as well.
    '.cline/hooks/PreToolUse': `#!/bin/sh\n${ownHook}\n`,
  }),
  calls: (project) => ({
    succeeds: { name: 'run_commands', input: { commands: [succeedingCommand] } },
    fails: { name: 'run_commands', input: { commands: [failingCommand] } },
    writes: { name: 'editor', input: { path: `${project}/made.txt`, new_text: written } },
    denied: { name: 'editor', input: { path: `${project}/private/no.txt`, new_text: written } },
    searches: { name: 'mem_search', input: { query: searchedFor } },
  }),
  addsOnly: true,
  // Its sessions run in a daemon, which waits for the next.
  leaves: /--cline-hub-daemon/,
  reports: {
    shell: 'run_commands',
    write: 'editor',
    failed: true,
    callIds: true,
    context: true,
    end: true,
    transcript: true,
    denied: true,
  },
});
