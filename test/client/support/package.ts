import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import versions from './versions.json' with { type: 'json' };

export type ClientName = keyof typeof versions;

/** What the tests of one assistant are run with. */
export interface ClientPackage {
  /** `claude-code 2.1.330`, for the title of a test. */
  readonly title: string;
  /** The `node_modules` folder that it was installed into; null when it is not there. */
  readonly modules: string | null;
}

/**
 * The package of an assistant as `npm run test:client` has put it into the cache, at the version of `versions.json`. Says on
 * standard error what to do when it is not there; its tests are skipped then.
 */
export function clientPackage(name: ClientName): ClientPackage {
  const { version } = versions[name];
  const title = `${name} ${version}`;
  const cache = process.env.MEMD_CLIENTS ?? defaultCache();
  const folder = path.join(cache, `${name}-${version}`);
  if (fs.existsSync(path.join(folder, 'complete'))) {
    return { title, modules: path.join(folder, 'node_modules') };
  }
  console.error(`skipped: ${title} is not in ${cache}; \`npm run test:client\` fetches it`);
  return { title, modules: null };
}

/** As in scripts/clients.mjs, for a run of vitest by hand. */
function defaultCache(): string {
  return path.join(os.tmpdir(), `memd-clients-${os.userInfo().uid}`);
}
