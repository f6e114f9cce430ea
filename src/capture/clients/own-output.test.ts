import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/event/index.ts';
import { showsOwnOutput } from './own-output.ts';

const kept = path.join(os.homedir(), '.memd/default/workspaces/x');
const shows = (command: Json, tool = 'Bash'): boolean => showsOwnOutput(tool, { command }, '/srv/mill');

describe('a command line', () => {
  test.each([
    'mem search rye',
    'mem --json search rye | jq .hits | head -5',
    'memd handoff; mem recent -k 5',
    'cd sub && mem search rye && echo done',
    'timeout 5 sudo -u kim mem search rye',
    'env A=1 npx -y memdaemon@0.2.0 mem search rye',
    'npm exec -- mem search rye',
    'yarn mem handoff',
    'node "$CLAUDE_PLUGIN_ROOT/dist/mem.cjs" search rye',
    'bash -lc "cd x && mem search rye"',
    'X=$(mem search rye); echo "$X"',
    `X='eval $X'; eval "$X"; mem search rye`,
    'B=mem; $B search rye',
    'for i in a b; do mem search $i; done',
    'diff <(mem search a) <(mem search b)',
    'echo 12 | xargs -n 1 mem show',
    'mem search "$(git branch --show-current)"',
    'mem search rye > /tmp/o; cat /tmp/o',
    'cat ~/.memd/default/workspaces/x/wal.ndjson | tail -3',
    'cd ~/.memd/default && cat workspaces/x/wal.ndjson',
    'M=~/.memd; strings "$M/default/workspaces/x/db.sqlite" | grep rye',
    `sqlite3 ${kept}/db.sqlite 'select * from summaries'`,
    `python3 -c "import sqlite3; sqlite3.connect('${kept}/db.sqlite')"`,
    'cat < $HOME/.memd/default/health.ndjson',
  ])('shows what memd says: %s', (command) => expect(shows(command)).toBe(true));

  test.each([
    'npm test && mem search rye',
    'mem search rye; npm run build',
    'git commit -m "$(mem search rye)"',
    'git commit -m "add mem search"',
    'cat README.md; mem search rye',
    './mem search rye',
    'bin/mem search rye',
    'mem test',
    'npm run mem search',
    'memcached -m 64 search',
    'which mem',
    'sudo -u mem ls',
    'node --max-old-space-size=4096 build.js mem search',
    'node scripts/mem.js search',
    'xargs grep mem search',
    'docker exec c mem search rye',
    'cat .memd/scope.json',
    `cat ${path.join(os.homedir(), '.memd/scope.json')}`,
    'cat > a.md <<EOF\nmem search rye\nEOF',
    'cd ~/.memd && cd /srv/mill && npm test',
  ])('does the work of a project: %s', (command) => expect(shows(command)).toBe(false));

  test('has many forms', () => {
    expect(shows(['bash', '-lc', 'mem search rye'], 'shell')).toBe(true);
    expect(showsOwnOutput('exec_command', { cmd: 'mem recent' }, null)).toBe(true);
    expect(shows(`mem search ${'$(a) '.repeat(200)}`)).toBe(false);
  });
});

test('a file below ~/.memd that another tool reads is memd’s own', () => {
  const reads = (tool: string, input: Json): boolean => showsOwnOutput(tool, input, '/srv/mill');
  expect(reads('Read', { file_path: `${kept}/wal.ndjson` })).toBe(true);
  expect(reads('Grep', { pattern: 'rye', path: '~/.memd' })).toBe(true);
  expect(reads('read_many_files', { paths: ['src/a', `${kept}/wal.ndjson`] })).toBe(true);
  expect(reads('mcp__db__query', { database: `${kept}/db.sqlite`, sql: 'select 1' })).toBe(true);
  expect(reads('Grep', { pattern: '~/.memd', path: 'docs' })).toBe(false);
  expect(reads('Read', { file_path: '/srv/mill/.memd/scope.json' })).toBe(false);
  expect(reads('Edit', { file_path: path.join(os.homedir(), '.memd/default/config.json') })).toBe(false);
});
