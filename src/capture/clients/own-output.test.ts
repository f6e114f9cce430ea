import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '#core/event';
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
    'command -v mem && mem search x',
    'which mem; type mem; mem recent',
    'source ~/.bashrc && mem search x',
    '. ~/.nvm/nvm.sh; mem handoff',
    "bash <<< 'mem search x'",
    'sh <<EOF\nmem search x\nEOF',
    "echo 'mem search x' | bash",
    'alias m=mem; m search x',
    "alias ms='mem search' && ms x",
    'm() { mem "$@"; }; m search x',
    'function look { cd /srv; mem search "$1" | head; }; look rye',
    'seq 3 | xargs -n1 mem show',
    'seq 3 | xargs -I{} mem show {}',
    "seq 3 | xargs -n1 sh -c 'mem show $0'",
    'cat ids.txt | while read -r id; do mem show "$id"; done',
    'while IFS= read -r id; do mem show "$id"; done < ids.txt',
    'mem recent | while read line; do echo "$line"; done',
    'git log --format=%s -1 | xargs mem search',
    'for i in $(seq 3); do mem show $i; done',
    'uv run mem search x',
    'mise exec -- mem search x',
    'strace -f -o /tmp/t mem search x',
    'watch -n 2 mem recent',
    'pnpm -C web exec mem search x',
    '& mem search x | Select-Object -First 5',
    'cd web; & "C:\\tools\\mem.cmd" search x',
    'pwsh -Command "mem search x"',
    "mem search x --json | python3 -c 'import json,sys; print(json.load(sys.stdin))'",
    'mem search x | tee /tmp/o | grep -v node_modules/',
    'cp ~/.memd/default/workspaces/x/db.sqlite /tmp/c && sqlite3 /tmp/c .dump',
    'cd ~/.memd/default && ls',
    'python3 - <<EOF\nprint(open("/home/kim/.memd/default/config.json").read())\nEOF',
    'grep -rn rye ~/.memd/default',
    'B="mem search"; $B rye',
    'curl -s http://127.0.0.1:50123/api/summaries?limit=3',
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
    'git commit -m "Say where ~/.memd is"',
    'echo "see ~/.memd/default/config.json"',
    "grep -rn '~/.memd' docs",
    'rg "~/.memd/default/workspaces" src | head',
    'grep -e ~/.memd/default README.md',
    "sed -n 's,x,~/.memd/default,p' README.md",
    'npm test > ~/.memd/test.log 2>&1',
    'echo {} > ~/.memd/default/config.json',
    'mkdir -p ~/.memd && chmod 700 ~/.memd',
    'mem show 3 | git apply',
    'mem search x --json | jq -r .file | xargs eslint',
    'mem search x --json | jq -r .file | xargs cat',
    'mem search x | grep -f - src/a.ts',
    'mem show 3 | bash',
    'mem search x | while read f; do npm test -- "$f"; done',
    'for f in $(mem search x); do cat $f; done',
    'f() { npm test; }; mem search x; f',
    'pnpm --filter memd start',
    'npm --workspace memd start',
    'npm run mem search',
    'yarn workspace mem start',
    'node tools/mem.cjs search x',
    'node ./dist/mem.cjs search x',
    'node /srv/mill/tools/mem.cjs search x',
    '/srv/mill/bin/mem search x',
    'sudo -u mem cmd',
    'sudo -u memd search',
    'ssh host mem search x',
    'cat /srv/mill/test/fixtures/.memd/default/workspaces/x/wal.ndjson',
    'curl -s http://127.0.0.1:3000/api/sessions',
    'mem() { npm test; }; mem search',
    'cat ~/.memd/default/config.json README.md; cat src/a.ts',
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
  expect(reads('Glob', { pattern: '~/.memd/**/*.ndjson' })).toBe(true);
  expect(reads('LS', { path: kept })).toBe(true);
  expect(reads('WebFetch', { url: 'http://127.0.0.1:50123/api/sessions', prompt: 'list' })).toBe(true);
  expect(reads('mcp__commander__start_process', { command: 'mem search rye', timeout_ms: 9 })).toBe(true);
  expect(reads('write_stdin', { session_id: 3, chars: 'mem search rye\n' })).toBe(true);
  expect(reads('mcp__commander__start_process', { command: 'npm test' })).toBe(false);
  expect(reads('WebFetch', { url: 'http://127.0.0.1:5173/api/sessions' })).toBe(false);
  expect(reads('WebFetch', { url: 'https://example.com/api/sessions' })).toBe(false);
  expect(reads('Glob', { pattern: '**/.memd/*' })).toBe(false);
  expect(reads('Read', { file_path: '/srv/mill/test/fixtures/.memd/default/workspaces/x/db' })).toBe(false);
  expect(reads('Grep', { pattern: '~/.memd', path: 'docs' })).toBe(false);
  expect(reads('Read', { file_path: '/srv/mill/.memd/scope.json' })).toBe(false);
  expect(reads('Edit', { file_path: path.join(os.homedir(), '.memd/default/config.json') })).toBe(false);
});
