import fs from 'node:fs';
import path from 'node:path';
import { likeOpencode } from './like-opencode.ts';
import { prove } from './prove.ts';

prove(
  likeOpencode(
    'opencode',
    // The package's own program is made by an install script; the platform's packages hold it. The last in order runs on old processors too.
    (modules) =>
      fs
        .readdirSync(modules)
        .filter((name) => name.startsWith('opencode-') && name !== 'opencode-ai')
        .map((name) => path.join(modules, name, 'bin/opencode'))
        .filter((file) => fs.existsSync(file))
        .sort()
        .at(-1) ?? null,
  ),
);
