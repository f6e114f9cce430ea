import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { decide } from './boundary-decision.ts';

let project: string;
beforeAll(() => {
  project = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-around-')));
  for (const folder of ['.memd', '.git', 'src', 'secret']) fs.mkdirSync(path.join(project, folder));
  for (const file of ['.env', 'secret/a', 'src/a']) fs.writeFileSync(path.join(project, file), 'x');
  fs.writeFileSync(path.join(project, '.memd/scope.json'), '{"deny": ["**/.env", "secret/**"]}');
});
afterAll(() => fs.rmSync(project, { recursive: true, force: true }));

function reasonOf(tool_name: string, tool_input: JsonObject): string | null {
  const payload = { hook_event_name: 'PreToolUse', tool_name, tool_input, session_id: 's', cwd: project };
  return decide(payload, [project], undefined).answer?.stdout ?? null;
}

describe('a tool is denied, whatever it and its arguments are called', () => {
  test.each<[string, JsonObject]>([
    ['unified_exec', { input: ['rm', '.env'] }],
    ['local_shell_call', { action: { type: 'exec', command: ['bash', '-lc', 'rm .env'] } }],
    ['mcp__shell__exec', { args: ['rm', '.env'] }],
    ['mcp__shell__exec', { command: 'rm', args: ['.env'] }],
    ['mcp__shell__run_commands', { commands: ['ls', 'rm .env'] }],
    ['mcp__x__act', { action: { command: 'rm .env' } }],
    ['mcp__ide__replace_text_in_file', { pathInProject: '.env' }],
    ['mcp__x__put', { target: 'secret/b' }],
    ['mcp__x__export', { output_path: '.env' }],
    ['mcp__x__render', { saveToFile: '.env' }],
    ['mcp__web__browser_take_screenshot', { filename: 'secret/a.png' }],
    ['mcp__x__update', { document: 'src/.env' }],
    ['mcp__x__copy', { from: 'src/a', to: 'secret/b' }],
    ['mcp__x__move', { from: '.env', to: 'src/b' }],
    ['mcp__x__write_files', { files: { 'src/a': '', '.env': '' } }],
    [
      'mcp__x__batch',
      {
        operations: [
          { op: 'read', path: 'src/a' },
          { op: 'write', path: '.env' },
        ],
      },
    ],
  ])('%s %j', (tool, input) => expect(reasonOf(tool, input)).not.toBeNull());

  test.each<[string, JsonObject]>([
    ['mcp__x__export', { output_path: 'src/out.txt' }],
    ['mcp__x__find_symbol', { relative_path: '.env', command: 'create' }],
    ['mcp__x__copy', { from: '.env', to: 'src/b' }],
    ['mcp__x__send', { from: '.env', to: '.env' }],
    ['mcp__x__batch', { operations: [{ op: 'read', path: '.env' }] }],
    ['mcp__x__create_issue', { title: '.env', description: 'secret/a', file_type: '.env' }],
  ])('%s %j is let through', (tool, input) => expect(reasonOf(tool, input)).toBeNull());
});

describe('what cannot be read', () => {
  test.each([
    'rm $(cat list)',
    'cat src/a > "src/$(base64 -d <<< x)"',
    'cd "$(cat list)" && rm .env',
    'sed -i s/a/b/ "$UNSET/.env"',
    'rm "$UNSET_FOLDER/a"',
    'git diff | sed s/a/b/ | git apply',
    'cat list | xargs -I{} cp src/a {}',
  ])('is denied: %s', (command) => expect(reasonOf('Bash', { command })).toContain('known only when'));

  test.each([
    'X=a; echo "${X#a}" > src/o-$(date +%s)-$RANDOM',
    'cd "$(git rev-parse --show-toplevel)" && touch src/new',
    'T=$(mktemp -d); cp src/a "$T/.a"; rm -rf "$T"',
    'for f in src/*; do mv "$f" "${f%a}b"; done',
    'set -- .env; cat "$1"; grep -l x . | xargs cat; $RUN "$ARGS"',
    'grep -rl x src | xargs sed -i s/x/y/',
  ])('is let through where it is only read, or is no danger: %s', (command) =>
    expect(reasonOf('Bash', { command })).toBeNull(),
  );
});

test.each([
  'rm /proc/self/cwd/.env',
  'rm /proc/$PPID/cwd/secret/a',
  'cd src; cd "$OLDPWD"; rm .env',
  'pushd secret; pushd ../src; popd; rm a',
  "git rm ':(icase).ENV'",
  "cd src && git rm ':/secret/a'",
  'eval \'X=.e\'; eval "rm ${X}nv"',
  'f() { local -n r=$1; rm "$r"; }; V=.env; f V',
  'if true; then C=ls; else C=rm; fi; $C .env',
  'IFS=: read -ra P <<< \'src:.env\'; rm "${P[1]}"',
  'while IFS= read -r f; do rm "$f"; done < <(printf %s .env)',
  'set -- -f .env; while getopts f: o; do rm "$OPTARG"; done',
  'X=$(echo .ENV | tr A-Z a-z); rm "$X"',
  'shopt -s nocaseglob; rm .E*',
  'bash -c \'for f; do rm "$f"; done\' _ .env',
  'rm .e{m..o}v',
])('a way around is closed: %s', (command) => expect(reasonOf('Bash', { command })).not.toBeNull());
