// What a change must pass, what fails fastest first. `npm test` runs this without the slow tests, `npm run test:all` with them.
import { spawnSync } from 'node:child_process';
import { ensureBuilt, ensureInstalled, root } from './ready.mjs';

ensureInstalled();

const bin = (name) => `${root}node_modules/.bin/${name}`;
const steps = [
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the page', bin('tsc'), ['-p', 'web']],
  ['typed lint', bin('oxlint'), ['--type-aware', '--deny-warnings', 'src', 'web', 'test', 'bench', 'demo']],
  ['unit tests and house rules', bin('vitest'), ['run', '--project', 'unit']],
  ['build', null],
  ['end-to-end tests', bin('vitest'), ['run', '--project', 'e2e']],
  ...(process.env.MEMD_TEST === 'all'
    ? [
        ['the page in a browser', bin('vitest'), ['run', '--project', 'page']],
        ['crashes', bin('vitest'), ['run', '--project', 'crash']],
      ]
    : []),
];

for (const [name, command, args] of steps) {
  const started = performance.now();
  console.log(`\n== ${name}`);
  if (command === null) {
    ensureBuilt();
  } else {
    const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
    if (status !== 0) {
      console.error(`\n${name}: failed`);
      process.exit(status ?? 1);
    }
  }
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
