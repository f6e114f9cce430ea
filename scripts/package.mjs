// `npm run package`: the tarball that `npm install -g` takes. Works in a fresh clone too; what it packs, npm lists on request only.
import { ensureInstalled, run } from './ready.mjs';

ensureInstalled({ toBuild: true });
run('npm', ['pack', '--ignore-scripts=false', '--loglevel=warn']);
