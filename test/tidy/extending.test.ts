import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { assistants } from '#assistants/table';
import { formatTable } from '../../src/redact/rules/format-table.ts';
import { checks } from '../../src/surfaces/health/checks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const page = textOf('docs/extending.md');

/** The names in backquotes in the part of the page under that heading. */
function namedUnder(heading: string): string[] {
  const from = page.indexOf(`## ${heading}\n`);
  const to = page.indexOf('\n## ', from + 3);
  return [...page.slice(from, to < 0 ? undefined : to).matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
}

test('has at most 660 words', () => {
  expect(page.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(660);
});

test('every file that it names exists', () => {
  const files = [...page.matchAll(/`((?:src|test|web)\/[^`\s]+)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(12);
  const examples = files.map((file) =>
    file.replace('client-payloads/NAME/EVENT', 'client-payloads/codex/Stop').replaceAll('NAME', 'codex'),
  );
  expect(examples.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

describe('an assistant', () => {
  const partsOf = (text: string): string[] =>
    [...text.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, part = '']) => part);
  const shape = textOf('src/assistants/form/assistant.ts');
  const [body = ''] = /^export interface Assistant \{[\s\S]*?^\}/m.exec(shape) ?? [];
  const parts = partsOf(body).filter((part) => part !== 'name');

  test('has the parts of the table, and no others', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, part = '']) => part);
    expect(rows.sort()).toEqual([...parts].sort());
  });

  test.each(assistants)(
    '$name is in the folder of its name, one line a part, as the build reads it',
    (one) => {
      const lines = textOf(`src/assistants/${one.name}/index.ts`).split('\n');
      const inObject = lines.slice(lines.findIndex((line) => line.startsWith('export const ')) + 1);
      const named = inObject.flatMap((line) => /^ {2}(\w+)(?:,$|: .*,$)/.exec(line)?.[1] ?? []);
      expect(named).toEqual(Object.keys(one));
      expect(inObject.filter((line) => !/^ {2}\w+(?:,|: .*,)$|^\};$|^$/.test(line))).toEqual([]);
      const imported = lines.flatMap((line) => /^import \{ (\w+) \} from '\.\/(\w+)\.ts';$/.exec(line) ?? []);
      for (let at = 0; at < imported.length; at += 3) expect(imported[at + 1]).toBe(imported[at + 2]);
    },
  );
});

test('names the readers and assistants that exist', () => {
  const door = fs
    .readdirSync(path.join(root, 'src/assistants/form'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => textOf(`src/assistants/form/${file}`))
    .join('\n');
  const named = namedUnder('An assistant');
  for (const name of ['readHookCall', 'readHookMessage', 'preToolUse', 'PendingCalls', 'findByFolderName']) {
    expect(named).toContain(name);
    expect(door).toMatch(new RegExp(`export (?:async )?(?:function\\*?|const|class) ${name}\\b`));
  }
  const known = assistants.map(({ name }) => name);
  expect(['qwen-code', 'opencode'].filter((name) => !known.includes(name) || !named.includes(name))).toEqual(
    [],
  );
});

test('names the ranking factors', () => {
  const [, body = ''] = /readonly name: ([^;]*);/.exec(textOf('src/query/search/factor.ts')) ?? [];
  const factors = [...body.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
  expect(factors.length).toBeGreaterThan(3);
  expect(factors.filter((name) => !namedUnder('A ranking factor').includes(name))).toEqual([]);
});

test('names the table of secret formats', () => {
  expect(namedUnder('A secret format')).toContain('formatTable');
  expect(formatTable.split('\n').length).toBeGreaterThan(20);
});

test('names the list of checks', () => {
  expect(namedUnder('A doctor check')).toContain('checks');
  expect(checks.length).toBeGreaterThan(10);
});

test('names the views of the page', () => {
  const named = namedUnder('A page view');
  // Its types are a browser's, so it is read as text.
  const lists = [
    ...textOf('web/route.ts').matchAll(/^export const (?:barViews|views) = \[(.*)\] as const;$/gm),
  ];
  const views = lists.flatMap(([, list = '']) => [...list.matchAll(/'(\w+)'/g)].map(([, view = '']) => view));
  expect(views.length).toBeGreaterThan(6);
  expect(views.filter((view) => !named.includes(view))).toEqual([]);
});
