import path from 'node:path';
import { asked, failingCommand, ownHook, searchedFor, succeedingCommand, written } from './assistant.ts';
import { prove } from './prove.ts';
import { completions } from './stubs/completions.ts';

prove({
  name: 'pi',
  dialect: completions,
  program: (modules) => path.join(modules, '.bin/pi'),
  args: ['--provider', 'scripted', '--model', 'scripted', '--print', asked],
  env: () => ({ PI_OFFLINE: '1' }),
  configuration: (url) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        scripted: {
          ...{ baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'not-a-key-of-anyone' },
          models: [{ id: 'scripted' }],
        },
      },
    }),
    // An extension of the person's own.
    '.pi/agent/extensions/mine.js': `import { execSync } from 'node:child_process';
export default (pi) => pi.on('session_shutdown', () => { execSync('${ownHook}', { input: '' }); });
`,
  }),
  calls: (project) => ({
    succeeds: { name: 'bash', input: { command: succeedingCommand } },
    fails: { name: 'bash', input: { command: failingCommand } },
    writes: { name: 'write', input: { path: `${project}/made.txt`, content: written } },
    denied: { name: 'write', input: { path: 'private/no.txt', content: written } },
    searches: { name: 'mem_search', input: { query: searchedFor } },
  }),
  addsOnly: true,
  reports: {
    shell: 'bash',
    write: 'write',
    failed: true,
    callIds: true,
    context: true,
    end: true,
    transcript: true,
  },
});
