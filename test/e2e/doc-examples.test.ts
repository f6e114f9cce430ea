import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '#core/config';
import { isObject, type Json } from '#core/event';
import { readScope } from '#guard/boundary';
import { type Block, blocksOf, commandsIn, documents, isJsonLines, textOf } from '../support/doc-blocks.ts';
import { withHistory } from '../support/history.ts';
import { closeHomes, dist, type Home, leftBehind } from '../support/home.ts';
import { type Ran, run, runUntil } from '../support/run.ts';

/** What is not run, and why. A line of the documents is here, is data (below), or is run. */
const skipped: Readonly<Record<string, string>> = {
  'npm run demo': 'builds and runs a day of work: a test of its own',
  'npm test': 'runs this test',
  'npm run plugin': "writes into the repository's plugin folder",
  'npm run setup -- ~/your-project': 'installs on this machine; test/package',
  'npm run bench:compare -- --hooks 21': 'installs what it compares with from the network',
  'git clone ... && cd memd': 'the network',
  'npm run release -- 0.2.0': 'changes the version; test/package/release.test.ts',
  'git commit -am "Release 0.2.0" && git tag v0.2.0 && git push origin HEAD v0.2.0': 'publishes',
  'memd sync forget-author bob@example.com': 'asks a person; test/e2e/sync-team.test.ts',
  'eval "$(mem resume last)"': 'starts the assistant',
  'memd adopt ~/old/place': 'needs a project without a memory; test/e2e/moved.test.ts',
  'memd adopt --copy ~/the/original': 'needs a project without a memory; test/e2e/moved.test.ts',
  'memd adopt --copy ~/original': 'needs a project without a memory; test/e2e/moved.test.ts',
  'memd sync init git@example.com:me/memory.git': 'needs a remote; test/e2e/sync.test.ts',
  'memd sync init git@example.com:me/memory.git --passphrase-file ~/.memd-passphrase':
    'needs a remote; test/e2e/sync.test.ts',
  'memd sync init ~/backup/memory.git --passphrase-file ~/.memd-passphrase':
    'needs a file with a passphrase; test/e2e/sync.test.ts',
  'memd sync': 'needs a remote; test/e2e/sync.test.ts',
  'memd sync --dry-run': 'needs a remote; test/e2e/sync.test.ts',
  'memd sync pull': 'needs a remote; test/e2e/sync.test.ts',
  'memd sync push': 'needs a remote; test/e2e/sync.test.ts',
  'chmod 600 ~/.memd-passphrase': 'there is no such file',
  'mem promote 12': 'needs sync; test/e2e/sync.test.ts',
  'mem promote 12 --note "this is how the release is built"': 'needs sync; test/e2e/sync.test.ts',
  'cd your-project': 'each line is run there',
  'cd ~/.memd/default/workspaces/KEY': 'the way back to an older database, and there is none',
  'mv db.sqlite db.sqlite.newer && cp db.sqlite.schema-N.backup db.sqlite': 'there is no older database',
  'sqlite3 ~/.memd/default/workspaces/KEY/db.sqlite ".backup \'/backup/memd.sqlite\'"':
    "needs SQLite's own shell",
  'claude plugin marketplace add /path/to/memd': 'needs Claude Code',
  'claude plugin install memd@memd': 'needs Claude Code',
  'claude mcp add memd -- memd mcp': 'needs Claude Code',
  'source <(memd completion zsh)': 'needs zsh; test/e2e/completion.test.ts',
  'source <(mem completion zsh)': 'needs zsh; test/e2e/completion.test.ts',
};

/** Blocks that are no commands, by how they begin: each is looked at by its own test, or is a picture of something. */
const data: Readonly<Record<string, string>> = {
  '~/.memd/<namespace>/': 'where files are',
  'memd, recorded earlier in this project': 'the context of an assistant',
  'SELECT ': 'run below',
  'gone: ': 'what a state says; test/e2e/state.test.ts',
  '# ~/.config/systemd/user/memd.service': "a supervisor's settings",
  '*/5 * * * *': "a scheduler's settings",
};

/** An exit status other than 0 that the document speaks of. */
const status: Readonly<Record<string, { readonly code: number; readonly why: string }>> = {
  'memd setup': { code: 1, why: 'there is no terminal to ask on' },
  'memd scope check src/main.ts .env': { code: 1, why: 'something may not be written' },
  'memd scope check --json .env ../elsewhere': { code: 1, why: 'something may not be written' },
  'mem rule remove 12': { code: 1, why: 'that memory is no rule; test/e2e/rules.test.ts' },
  'memd drain --refine': { code: 1, why: 'no model is here that could say it better' },
  'memd drain --refine 50': { code: 1, why: 'no model is here that could say it better' },
};

/** Commands that stay until they are interrupted, and by what it is seen that they are at work. */
const staying: Readonly<Record<string, (home: Home) => string | number>> = {
  'memd logs -f': () => '',
  'memd monitor': healthBytes,
  'memd monitor --interval 10': healthBytes,
};

const blocks = documents().flatMap(blocksOf);
/** What is run: nothing else is, listed or not. */
const runnable = /^(?:memd|mem|source|sed|echo) /;
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const perDocument = new Map(documents().map((file) => [file, [] as string[]]));
for (const block of blocks.filter(isShell)) {
  const known = [...perDocument.values()].flat();
  const fresh = commandsIn(block).filter((line) => !known.includes(line));
  perDocument.get(block.file)?.push(...new Set(fresh));
}
const commands = [...perDocument.values()].flat();
const runs = [...perDocument]
  .map(([file, lines]) => [file, lines.filter((line) => runnable.test(line) && !(line in skipped))] as const)
  .filter(([, lines]) => lines.length > 0);
const ofLanguage = (language: string): Block[] => blocks.filter((one) => one.language === language);

let home: Home;
let bin: string;
let ids: number[];

beforeAll(async () => {
  home = await withHistory();
  bin = path.join(home.folder, 'bin');
  fs.mkdirSync(bin);
  for (const name of ['memd', 'mem']) {
    script(name, `exec '${process.execPath}' '${path.join(dist, `${name}.cjs`)}' "$@"`);
  }
  // A desktop that shows what it is given.
  for (const name of ['xdg-open', 'open', 'notify-send']) script(name, 'exit 0');
  for (const folder of ['.git', 'src/auth', '../home/old-transcripts', '../home/.config/fish/completions'])
    fs.mkdirSync(path.join(home.project, folder), { recursive: true });
  await home.start();
  ids = home.rows('SELECT id FROM summaries ORDER BY id').map(({ id }) => Number(id));
  // The session and the file that the examples name.
  await home.capture({
    tool: 'Edit',
    input: { file_path: path.join(home.project, 'src/auth/login.ts'), old_string: 'a', new_string: 'login' },
    output: 'edited',
    toolUseId: 'login',
    sessionId: '38fb3e7a-0000-4000-8000-00000000000a',
    client: 'claude-code',
  });
});
afterAll(async () => {
  await closeHomes();
  expect(leftBehind()).toEqual([]);
});

test('every block is a command, data that is named here, or of a kind that is looked at', () => {
  const kinds = new Set(['', 'sh', 'json', 'js']);
  expect(blocks.filter(({ language }) => !kinds.has(language)).map(textOf)).toEqual([]);
  expect(commands.filter((line) => !runnable.test(line) && !(line in skipped))).toEqual([]);
});

test('nothing is listed that no document has', () => {
  const starts = blocks.map(textOf);
  expect(Object.keys(data).filter((start) => !starts.some((text) => text.startsWith(start)))).toEqual([]);
  const listed = [...Object.keys(skipped), ...Object.keys(status), ...Object.keys(staying)];
  expect(listed.filter((line) => !commands.includes(line))).toEqual([]);
});

describe.each(runs)('%s', (_, lines) => {
  // Each is read by itself: what the one before has stopped or taken off is there again.
  beforeAll(async () => {
    expect(await shell('memd start')).toMatchObject({ code: 0 });
  });
  test.each(lines)('%s', async (line) => {
    if (/\bcurl\b/.test(line) && !hasCurl) return;
    const stays = staying[line];
    const { code, signal, stdout, stderr } = await (stays === undefined
      ? shell(line)
      : shellUntil(line, stays));
    // Who interrupts a command gets no other end than that, if it comes before it is listened for.
    const expected = stays === undefined ? [status[line]?.code ?? 0] : [0, 'SIGINT'];
    expect(expected, `${stdout}${stderr}`).toContain(code ?? signal);
  });
});

describe('settings and data', () => {
  test('JSON is what it is shown as: hooks that capture, rules that hold, settings that are known', async () => {
    expect(ofLanguage('json')).not.toEqual([]);
    for (const block of ofLanguage('json')) {
      const value: Json = JSON.parse(textOf(block));
      if (!isObject(value)) throw new Error(`${block.file}: no object`);
      if ('hooks' in value) await expectHooks(value.hooks);
      else if ('allow' in value || 'deny' in value) expectRules(textOf(block));
      else expectSettings(textOf(block));
    }
  });

  test('lines of JSON are whole, and those of health.ndjson what the monitor writes', async () => {
    await shell('memd monitor --once');
    const written = fs.readFileSync(healthFile(home), 'utf8').split('\n').filter(Boolean);
    const keys = (line: string): string => Object.keys(JSON.parse(line)).join();
    for (const block of blocks.filter(isJsonLines)) {
      if (textOf(block).startsWith('{"ts":'))
        expect(block.lines.map(keys)).toContain(keys(written.at(-1) ?? ''));
    }
  });

  test('SQL is what the database takes', () => {
    for (const block of blocks.filter((one) => textOf(one).startsWith('SELECT '))) home.rows(textOf(block));
  });
});

function isShell(block: Block): boolean {
  if (block.language === 'sh') return true;
  if (isJsonLines(block)) return false;
  return block.language === '' && !Object.keys(data).some((start) => textOf(block).startsWith(start));
}

/** The line with what stands for a reader's own thing made one of this project. */
function madeOurs(line: string): string {
  return line
    .replace(/^(mem forget) \d+$/, `$1 ${ids.at(-1)}`)
    .replace(/^(mem (?:show|timeline|pin|unpin|why .*)) \d+(?= -|$)/, `$1 ${ids[1]}`)
    .replace('PATH...', 'src')
    .replace('127.0.0.1:PORT', () => `127.0.0.1:${fs.readFileSync(home.workspace().httpPort, 'utf8').trim()}`)
    .replace(/~\/\.memd\/default\/workspaces\/\S+\/restore-\S+/, restoreFile);
}

/** What `mem prune --confirm` has written. */
function restoreFile(): string {
  const { folder } = home.workspace();
  return path.join(folder, fs.readdirSync(folder).find((name) => name.startsWith('restore-')) ?? 'none');
}

function environment(): Record<string, string> {
  const { PATH = '' } = process.env;
  return {
    ...home.env(),
    PATH: `${bin}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}${PATH}`,
  };
}

function shell(line: string): Promise<Ran> {
  return run('bash', ['-o', 'pipefail', '-c', madeOurs(line)], { cwd: home.project, env: environment() });
}

/** Interrupts the command, as a person would, once it has said something or `seen` has changed. */
function shellUntil(line: string, seen: (home: Home) => string | number): Promise<Ran> {
  const before = seen(home);
  const options = { cwd: home.project, env: environment() };
  return runUntil('bash', ['-c', `exec ${line}`], options, (said) => said !== '' || seen(home) !== before);
}

function script(name: string, text: string): void {
  fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

function healthFile(of: Home): string {
  return path.join(path.dirname(of.workspace().config), 'health.ndjson');
}

function healthBytes(of: Home): number {
  return fs.statSync(healthFile(of), { throwIfNoEntry: false })?.size ?? 0;
}

/** Every command of a hooks block takes a payload in the form of its event, and says that it is stored. */
async function expectHooks(hooks: Json | undefined): Promise<void> {
  const named = [...JSON.stringify(hooks).matchAll(/"command":"(.*?)"/g)].map(([, one = '']) => one);
  expect(named.length).toBeGreaterThan(0);
  await shell('memd start');
  for (const [at, one] of new Set(named).entries()) {
    const payload = {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: `doc-${at}`,
      session_id: 's',
    };
    const input = JSON.stringify({
      ...payload,
      tool_input: { command: 'ls' },
      tool_response: 'src',
      cwd: home.project,
    });
    const ours = one.replace(/\/path\/to\/memd\/dist/, dist);
    const options = { cwd: home.project, env: environment(), input };
    expect(await run('bash', ['-c', ours], options)).toMatchObject({ code: 0, stdout: '{"ok":true}\n' });
  }
}

function expectRules(text: string): void {
  const file = path.join(home.folder, 'scope.json');
  fs.writeFileSync(file, text);
  expect(readScope(file).state).toBe('on');
}

function expectSettings(text: string): void {
  const file = path.join(home.folder, 'settings.json');
  fs.writeFileSync(file, text);
  expect(loadConfig(file, {}).warnings).toEqual([]);
}
