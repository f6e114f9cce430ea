import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Target } from '../../boundary/index.ts';
import { shellWrites } from './run.ts';

const page = fs.readFileSync(new URL('../../../../docs/boundary.md', import.meta.url), 'utf8');
const setting = { cwd: '/app', home: '/home/me', env: {}, top: '/app' };

/** The rows of the table below a heading: the command, and the rest of the line. */
function rowsBelow(heading: string): [string, string][] {
  const [, section = ''] = page.split(`### ${heading}\n`);
  const table = section.split(/\n##/)[0] ?? '';
  return [...table.matchAll(/^\| `(.+?)` \| (.*) \|$/gm)].map(([, command = '', expected = '']) => [
    command.replaceAll('\\|', '|'),
    expected,
  ]);
}

/** As the table words it. */
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

describe('what the documentation says of shell commands', () => {
  test.each(rowsBelow('What is caught'))('%s', (command, expected) => {
    const targets = shellWrites(command, setting);
    expect([...new Set(targets.flatMap(words))].join(' ')).toBe(
      [...new Set(expected.replace(/ \(.*\)$/, '').split(/(?<=`) (?=`)/))].join(' '),
    );
  });

  test.each(rowsBelow('What is missed'))('not seen: %s', (command) => {
    expect(shellWrites(command, setting)).toEqual([]);
  });

  test('the tables are there', () => {
    expect(rowsBelow('What is caught').length).toBeGreaterThan(50);
    expect(rowsBelow('What is missed').length).toBeGreaterThan(10);
  });
});
