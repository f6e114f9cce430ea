import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allCommands, programTrees } from '../../src/surfaces/cli/describe/tree.ts';
import { documents } from '../support/doc-blocks.ts';
import { childrenOf, type Node, readSources } from '../support/syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Words that a reader may not know, or that have a plainer word. None is ever right in a text of memd. */
const avoided =
  /\b(?:told|tells?|mend(?:s|ed|ing|able)?|beside|anew|amiss|whoever|wherever|lies|comes back|in the place of|hand(?:s|ed|ing)? over)\b/gi;

/** The name of the command, in a call and in the list of commands, is not prose. */
const commandName = /\bmemd told\b|^ +told(?= {2})|(?<=\bhelp )told\b/gm;

function avoidedIn(where: string, prose: string): string[] {
  const text = prose.replace(commandName, 'COMMAND');
  return [...text.matchAll(avoided)].map((found) => {
    const around = text.slice(Math.max(0, found.index - 30), found.index + 30).replace(/\s+/g, ' ');
    return `${where}: "${found[0]}" in "${around}"`;
  });
}

/** The string and template literals with a space: messages, and other texts. */
function textsIn(node: Node): string[] {
  const { value } = node;
  const cooked = typeof value === 'object' && value !== null && 'cooked' in value ? value.cooked : value;
  const isText = (node.type === 'Literal' || node.type === 'TemplateElement') && typeof cooked === 'string';
  return [...(isText && cooked.includes(' ') ? [cooked] : []), ...childrenOf(node).flatMap(textsIn)];
}

/** Without blocks and spans of code, which may have names of JSON keys. */
function proseOf(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$|^ {4}.*$|`[^`\n]*`/gm, '');
}

/** SQL of schemas, evidence and word lists: stored texts, which stay as they are. */
const stored = /memory\/(?:store\/schema-\d|curate\/rules\/|embed\/concepts)/;

test('help texts use plain words', async () => {
  const { memd, mem } = await programTrees();
  const nodes = [memd, mem].flatMap(allCommands);
  expect(nodes.length).toBeGreaterThan(30);
  expect(nodes.flatMap(({ path: words, help }) => avoidedIn(words.join(' '), help))).toEqual([]);
});

test('README and guides use plain words', () => {
  const guides = documents().filter((file) => !/^docs\/(?:research|decisions)\/|^CHANGELOG/.test(file));
  expect(guides).toContain('README.md');
  const found = guides.flatMap((file) =>
    avoidedIn(file, proseOf(fs.readFileSync(path.join(root, file), 'utf8'))),
  );
  expect(found).toEqual([]);
});

test('messages use plain words', () => {
  const found = readSources()
    .filter(({ file }) => !stored.test(file))
    .flatMap(({ file, program }) => textsIn(program).flatMap((text) => avoidedIn(file, text)));
  expect(found).toEqual([]);
});

test('comments name no document that the project does not have', () => {
  const found = readSources().filter(({ file }) =>
    /CLIENTS\.md|CONTRACT \d|\bSpec \d/.test(fs.readFileSync(path.join(root, 'src', file), 'utf8')),
  );
  expect(found.map(({ file }) => file)).toEqual([]);
});
