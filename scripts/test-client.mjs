// Sessions of real assistants against a scripted model on the loopback. `npm run test:client`, or with names and paths as vitest takes them:
// `npm run test:client -- claude-code`. Needs the npm registry the first time; what cannot be fetched is skipped and named. Not part of `npm test`.
import { clientNames, clientsCache, fetchClients, isolation } from './clients.mjs';
import { ensureBuilt, ensureInstalled, root, run } from './ready.mjs';

ensureInstalled();
// Another build can be tested by naming its folder.
if (process.env.MEMD_DIST === undefined) ensureBuilt();

const filters = process.argv.slice(2);
const named = clientNames.filter((name) => filters.some((filter) => filter.includes(name)));
fetchClients(named.length > 0 ? named : clientNames);

const prefix = isolation();
if (prefix === null)
  console.log('no network namespace on this system: the assistants run with a dead proxy instead');
const [command, ...args] = [
  ...(prefix ?? []),
  ...[process.execPath, `${root}node_modules/vitest/vitest.mjs`, 'run', '--project', 'client', ...filters],
];
run(command, args, { env: { ...process.env, MEMD_CLIENTS: clientsCache() } });
