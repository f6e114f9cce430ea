import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Target } from '#guard/boundary';
import { shellWrites } from './run.ts';

const page = fs.readFileSync(new URL('../../../../docs/boundary.md', import.meta.url), 'utf8');
const setting = { cwd: '/app', home: '/home/me', env: {}, top: '/app' };

/** The section below a heading. */
function sectionOf(heading: string): string {
  const [, section = ''] = page.split(`## ${heading}\n`);
  return section.split(/\n##/)[0] ?? '';
}

/** The rows of a table: the command, and what it writes. */
function rowsOf(table: string): [string, string][] {
  return [...table.matchAll(/^\| `(.+?)` \| (.*) \|$/gm)].map(([, command = '', expected = '']) => [
    command.replaceAll('\\|', '|'),
    expected,
  ]);
}

/** As the tables word it. */
function words(target: Target): string[] {
  return wordsOf(target).map((text) => text.replace(/[\u0001-\u0003]/g, '?'));
}

function wordsOf(target: Target): string[] {
  switch (target.kind) {
    case 'path':
      return [`\`${target.piece.text}\``];
    case 'copy':
      return [`\`${target.to.text}\``];
    case 'patch':
      return [`the files that \`${target.file.text}\` names`];
    case 'found': {
      const names = target.names.map((name) => ` \`${name}\``).join('');
      return [
        `found in ${target.starts.map(({ text }) => `\`${text}\``).join(' ')}${names === '' ? '' : `:${names}`}`,
      ];
    }
  }
}

const documented = rowsOf(sectionOf('What it catches'));
const missed = [...sectionOf('What it misses').matchAll(/^- `(.+?)`: /gm)].map(([, command = '']) =>
  command.replaceAll('\\|', '|'),
);

/** Forms that the guide leaves out. */
const more = rowsOf(
  fs.readFileSync(new URL('../../../../test/support/boundary/shell-commands.md', import.meta.url), 'utf8'),
);

describe('what a shell command writes', () => {
  test.each([...documented, ...more])('%s', (command, expected) => {
    const targets = shellWrites(command, setting);
    expect([...new Set(targets.flatMap(words))].join(' ')).toBe(
      [...new Set(expected.replace(/ \(.*\)$/, '').split(/(?<=`) (?=`)/))].join(' '),
    );
  });

  test.each(missed)('documented as missed: %s', (command) => {
    expect(shellWrites(command, setting)).toEqual([]);
  });

  test('the guide has both lists', () => {
    expect(documented.length).toBeGreaterThan(20);
    expect(missed.length).toBeGreaterThan(10);
  });
});
