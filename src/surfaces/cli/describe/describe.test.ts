import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { helpColumns } from '#core/limits';
import { assistants } from '#surfaces/install';
import { commandsPage, shippedTexts } from '../describe.ts';
import { allCommands, type CommandNode, programTrees, wordsOf } from './tree.ts';

const trees = await programTrees();
const texts = await shippedTexts();
const page = fs.readFileSync(new URL('../../../../docs/commands.md', import.meta.url), 'utf8');
const programs = Object.values(trees);
const nodes = programs.flatMap(allCommands);

/** A completion of the program of a node. */
function madeOf(node: CommandNode, suffix: string): string {
  const text = texts[suffix.replace('*', node.path[0] ?? '')];
  if (text === undefined) throw new Error(`not made: ${suffix}`);
  return text;
}

describe.each(nodes.map((node) => [node.path.join(' '), node] as const))('%s', (_called, node) => {
  test('has a one-line summary, like each of its options', () => {
    expect(node.summary).toMatch(/^\S.*[^.\s]\.?$/);
    for (const { flags, summary } of node.options) expect(`${flags} ${summary}`).toMatch(/ \S.+/);
  });

  test('has an example', () => {
    const [program = ''] = node.path;
    const calls = (line: string): boolean => line.startsWith(program) || line.includes(` | ${program} `);
    expect(node.examples.filter(calls)).not.toEqual([]);
  });

  test('has a help that fits', () => {
    const wide = node.help.split('\n').filter((line) => line.length > helpColumns && !/^ {2}\$ /.test(line));
    expect(wide).toEqual([]);
  });

  test('is in the reference with every option', () => {
    for (const { flags, summary } of node.options) {
      if (node.path.length > 1 && !flags.endsWith('--help'))
        expect(page).toContain(`- \`${flags}\`: ${summary}\n`);
    }
  });

  test('is completed, with every option, in each shell', () => {
    const own = `'${wordsOf(node)}'`;
    const lineIn = (text: string) => text.split('\n').find((line) => line.startsWith(`        ${own}) if`));
    const bash = lineIn(madeOf(node, 'completion/*.bash'));
    // zsh reads bash's.
    expect(lineIn(madeOf(node, 'completion/*.zsh'))).toBe(bash);
    const fish = madeOf(node, 'completion/*.fish')
      .split('\n')
      .filter((line) => line.includes(`_at ${own}"`));
    for (const { long, short } of node.options) {
      expect(bash).toMatch(new RegExp(`['n]${long}[\\\\']`));
      expect(fish.some((line) => line.includes(` -l ${long.slice(2)} `))).toBe(true);
      if (short === null) continue;
      expect(bash).toMatch(new RegExp(`n${short}[\\\\']`));
      expect(fish.some((line) => line.includes(` -s ${short.slice(1)} -l ${long.slice(2)} `))).toBe(true);
    }
    const words = node.groups.flatMap(({ commands }) => commands.map(({ path }) => path.at(-1) ?? ''));
    for (const word of words) {
      expect(bash).toMatch(new RegExp(`['n]${word}[\\\\']`));
      expect(fish.some((line) => line.includes(` -a ${word} `))).toBe(true);
    }
  });
});

test("install and uninstall are completed with the assistants' names", () => {
  const choosing = nodes.filter((node) => node.arguments.some(({ name }) => name === 'CLIENT'));
  expect(choosing.map(({ path }) => path.join(' '))).toEqual(['memd install', 'memd uninstall']);
  for (const {
    arguments: [client],
  } of choosing)
    expect(client?.value).toEqual({ kind: 'choice', choices: assistants.map((one) => one.name) });
});

test('every command that prints data has --json', () => {
  const without = nodes
    .filter(({ groups, options }) => groups.length === 0 && !options.some(({ long }) => long === '--json'))
    .map(({ path }) => path.join(' '));
  // What these print is for another program, in its form, or a script.
  const other = ['memd hook', 'memd mcp', 'memd completion', 'mem completion'];
  expect(without).toEqual(other);
});

test('docs/commands.md is current; node scripts/describe.mjs writes it', async () => {
  expect(page.split(/^## Exit status$/m)[0]).toBe(await commandsPage());
});

test('every environment variable that is read is documented', () => {
  const sources = fs
    .readdirSync(new URL('../../..', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/test|faults|redact/.test(file))
    .map((file) => fs.readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
  const read = sources.flatMap((text) =>
    [...text.matchAll(/\benv\.([A-Z][A-Z_]{2,})\b/g)].map(([, name = '']) => name),
  );
  // Of the shell, of the plugin's own hook, of the tests.
  const others = ['PATH', 'TERM', 'CLAUDE_PLUGIN_ROOT', 'MEMD_FAULTS_DISK'];
  const [, rows = ''] = page.split(/^## (?:Environment|Files)$/m);
  const documented = [...rows.matchAll(/^\| `([^`]+)`/gm)].flatMap(([, name = '']) => name.split(', '));
  expect(documented.length).toBeGreaterThan(10);
  const known = new Set([...documented, ...others]);
  expect([...new Set(read)].filter((name) => !known.has(name))).toEqual([]);
});
