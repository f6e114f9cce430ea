import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dist } from '../support/home.ts';
import { run } from '../support/run.ts';

let folder: string;

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-completion-')));
  fs.mkdirSync(path.join(folder, 'old notes'));
  fs.mkdirSync(path.join(folder, 'web'));
  fs.writeFileSync(path.join(folder, 'memories of may.ndjson'), '');
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What a shell offers for a line whose last word is being typed. */
type Complete = (words: readonly string[]) => Promise<string[]>;

function hasShell(name: string): boolean {
  return spawnSync(name, ['-c', 'exit 0']).status === 0;
}

async function output(shell: string, args: readonly string[]): Promise<string[]> {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, TERM: 'dumb' };
  const { code, stdout, stderr } = await run(shell, args, { cwd: folder, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').filter(Boolean);
}

const file = (program: string, shell: string): string => path.join(dist, `completion/${program}.${shell}`);

/** By the function that bash would call, with the words as bash would cut them. */
const bash: Complete = (words) => {
  const [program = ''] = words;
  const cut = words.flatMap((word) =>
    word.startsWith('--') ? word.split(/(=)/).filter((part) => part !== '') : [word],
  );
  const quoted = cut.map((word) => `'${word}'`).join(' ');
  const script = `source '${file(program, 'bash')}'; COMP_WORDS=(${quoted}); COMP_CWORD=${cut.length - 1}
complete -p ${program} >/dev/null || exit 3; _${program} 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return output('bash', ['--norc', '-c', script]);
};

const fish: Complete = async (words) => {
  const [program = ''] = words;
  const script = `source '${file(program, 'fish')}'; complete -C '${words.join(' ')}'`;
  return (await output('fish', ['--no-config', '-c', script])).map((line) => line.split('\t')[0] ?? '');
};

/** What zsh's own functions are given to show; the completion system runs only where there is a line editor, in a pseudo-terminal. */
const zsh: Complete = async (words) => {
  const [program = ''] = words;
  const [inner, outer] = [path.join(folder, '.inner.zsh'), path.join(folder, '.outer.zsh')];
  fs.writeFileSync(
    inner,
    `PROMPT=
autoload -Uz compinit; compinit -u -D
source '${file(program, 'zsh')}'
compadd () {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return $?; fi
  typeset -a __hits
  builtin compadd -A __hits "$@"
  (( $#__hits )) && print -rl -- 'HIT '\${^__hits}
  return 1
}
zle-line-init () {
  BUFFER='${words.join(' ')}'; CURSOR=$#BUFFER
  zle complete-word
  print; print THE''END
}
zle -N zle-line-init
`,
  );
  fs.writeFileSync(
    outer,
    `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source '${inner}'"
while zpty -r shell line; do print -r -- "$line"; [[ $line == *THEEND* ]] && break; done
zpty -d shell
`,
  );
  const lines = await output('zsh', ['-f', outer]);
  return [...new Set(lines.flatMap((line) => /HIT (.*?)\r?$/.exec(line)?.[1] ?? []))];
};

describe.each([
  ['bash', bash],
  ['fish', fish],
  ['zsh', zsh],
])('%s', (name, complete) => {
  const shellTest = test.skipIf(!hasShell(name));

  shellTest('completes commands, and none of the other program', async () => {
    expect(await complete(['memd', 're'])).toEqual(['restart']);
    expect(await complete(['mem', 'pru'])).toEqual(['prune']);
    expect((await complete(['memd', ''])).sort()).toContain('doctor');
  });

  shellTest('a folder of the name of a command changes nothing', async () => {
    expect(await complete(['memd', 'we'])).toEqual(['web']);
  });

  shellTest('completes the options of the command at hand', async () => {
    expect(await complete(['memd', 'start', '--f'])).toEqual(['--foreground']);
    expect(await complete(['mem', 'search', 'redis', '--wh'])).toEqual(['--why']);
    expect(await complete(['mem', 'prune', '--wh'])).toEqual([]);
  });

  shellTest('completes commands of commands', async () => {
    expect(await complete(['memd', 'scope', 'ch'])).toEqual(['check']);
    expect(await complete(['memd', 'scope', 'check', '--j'])).toEqual(['--json']);
  });

  shellTest('completes what can be chosen', async () => {
    expect(await complete(['memd', 'completion', 'z'])).toEqual(['zsh']);
    expect((await complete(['memd', 'install', 'co'])).sort()).toEqual(['codex', 'copilot-cli']);
    expect(await complete(['memd', 'uninstall', '--dry-run', 'op'])).toEqual(['opencode']);
  });

  shellTest('completes files and folders, with spaces in them, where an argument is one', async () => {
    const offered = await complete(['mem', 'import', 'memo']);
    expect(offered.join().replaceAll('\\', '')).toContain('memories of may.ndjson');
    const folders = await complete(['memd', 'backfill', '--from', 'o']);
    expect(folders.join().replaceAll('\\', '')).toContain('old notes');
    expect(await complete(['mem', 'search', 'memo'])).toEqual([]);
  });
});

test('the command prints the script', async () => {
  for (const program of ['memd', 'mem']) {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const printed = await output(process.execPath, [
        path.join(dist, `${program}.cjs`),
        'completion',
        shell,
      ]);
      expect(printed).toEqual(fs.readFileSync(file(program, shell), 'utf8').split('\n').filter(Boolean));
    }
  }
});
