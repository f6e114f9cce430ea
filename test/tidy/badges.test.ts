import fs from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { badges } from '../../scripts/badges.mjs';

test.each(Object.entries(badges as Record<string, string>))(
  '%s says what package.json says',
  (name, text) => {
    expect(fs.readFileSync(new URL(`../../docs/pictures/${name}`, import.meta.url), 'utf8')).toBe(text);
  },
);
