import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '#core/config';
import { documents } from '../support/doc-blocks.ts';
import { readSources } from '../support/syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
/** Without what test/e2e/doc-examples.test.ts runs, and without the messages that a list is made of. */
const prose = (text: string): string => text.replace(/^```[\s\S]*?^```$|^- `.*`$/gm, '');

/** Options by command, as docs/commands.md has them; test/e2e/completion.test.ts keeps that the program's own. */
const options = new Map<string, Set<string>>();
for (const line of read('docs/commands.md').split('\n')) {
  const command = /^\*\*`(memd? [a-z-]+(?: [a-z-]+)?)/.exec(line)?.[1];
  if (command !== undefined) options.set(command, new Set(['--help', '-h']));
  const last = [...options.values()].at(-1);
  for (const [option] of /^- `-[^`]*/.exec(line)?.[0].matchAll(/--?[a-z][a-z-]*/g) ?? []) last?.add(option);
}

/** A command line as it stands in a sentence: the program, its command and what follows on the line. */
interface Named {
  readonly where: string;
  readonly program: string;
  readonly words: readonly string[];
}

function named(where: string, text: string): Named | null {
  const found = /^(memd?) ([a-z-]+.*)/.exec(text);
  if (found === null) return null;
  const [, program = '', rest = ''] = found;
  return { where: `${where}: ${text}`, program, words: rest.split(/\s+/) };
}

function isKnown({ program, words }: Named): boolean {
  const [command = '', sub = ''] = words;
  if (/^--(?:help|version)$/.test(command)) return true;
  const known = options.get(`${program} ${command} ${sub}`) ?? options.get(`${program} ${command}`);
  const given = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/[=,.;:)].*$/, ''));
  return known !== undefined && given.every((option) => known.has(option));
}

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-docs-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('what is named is there', () => {
  test('commands and options in the documents', () => {
    expect(options.size).toBeGreaterThan(30);
    const all = documents().flatMap((file) =>
      [...prose(read(file)).matchAll(/`(memd? [^`]+)`/g)].map(([, text = '']) => named(file, text)),
    );
    const commands = all.filter((one) => one !== null);
    expect(commands.length).toBeGreaterThan(100);
    expect(commands.filter((one) => !isKnown(one)).map(({ where }) => where)).toEqual([]);
  });

  test('commands and options in what the program says to run', () => {
    const mentioned = readSources().flatMap(({ file }) =>
      [...read(`src/${file}`).matchAll(/\b[Rr]un \\?`(memd? [a-z-]+(?: --?[a-z-]+)*)/g)].map(
        ([, text = '']) => named(file, text),
      ),
    );
    const commands = mentioned.filter((one) => one !== null);
    expect(commands.length).toBeGreaterThan(50);
    expect(commands.filter((one) => !isKnown(one)).map(({ where }) => where)).toEqual([]);
  });

  test('settings in the documents, with a value that they may have', () => {
    const spans = documents().flatMap((file) =>
      [...prose(read(file)).matchAll(/`("?)([a-zA-Z]+(?:\.[a-zA-Z]+)?)\1(?:: ([^`]+))?`/g)].map((found) => ({
        file,
        found,
      })),
    );
    const settings = spans.filter(({ found: [, quote, name = '', value] }) => isSetting(quote, name, value));
    const wrong = settings.flatMap(({ file, found: [span, , name = '', value] }) =>
      complaints(name, value).map((complaint) => `${file}: ${span}: ${complaint}`),
    );
    expect(settings.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  test('files and headings that the documents link to', () => {
    const missing = documents().flatMap((file) =>
      [...prose(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^https?:/.test(target) && !leads(file, target))
        .map((target) => `${file}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

/** `drain.backend`, `"captureSpool": false`; not `search.md`, nor a field of something else. */
function isSetting(quote: string | undefined, name: string, value: string | undefined): boolean {
  if (/\.(?:md|ts|json|sqlite|ndjson)$/.test(name)) return false;
  return groups.test(name) || (quote === '"' && value !== undefined);
}

const groups = /^(?:curate|drain|embed|hostedllm|http|inject|localllm|retention)\./;

/** What the loader has to say about a file with that setting; without a value, about its name alone. */
function complaints(name: string, value: string | undefined): readonly string[] {
  const isExample = value === undefined || value.includes('...');
  const file = path.join(folder, 'config.json');
  const text = value === undefined || /^["\d[tfn]/.test(value) ? value : JSON.stringify(value);
  fs.writeFileSync(file, `{"${name}": ${isExample ? 'null' : text}}`);
  try {
    return loadConfig(file, {}).warnings;
  } catch (error) {
    return isExample ? [] : [String(error)];
  }
}

function leads(from: string, target: string): boolean {
  const [relative = '', heading] = target.split('#');
  const file = relative === '' ? from : path.join(path.dirname(from), relative);
  if (!fs.existsSync(path.join(root, file))) return false;
  return heading === undefined || headingsOf(file).includes(heading);
}

/** As GitHub names them: lower case, blanks as dashes, no other marks. */
function headingsOf(file: string): string[] {
  return [...prose(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
