import fs from 'node:fs';
import path from 'node:path';
import { likeOpencode } from './like-opencode.ts';
import { prove } from './prove.ts';

// As OpenCode's, its program is in the platform's package.
prove(
  likeOpencode(
    'kilo',
    (modules) =>
      fs
        .readdirSync(path.join(modules, '@kilocode'))
        .filter((name) => name.startsWith('cli-'))
        .map((name) => path.join(modules, '@kilocode', name, 'bin/kilo'))
        .filter((file) => fs.existsSync(file))
        .sort()
        .at(-1) ?? null,
  ),
);
