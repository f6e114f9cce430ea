import fs from 'node:fs';
import path from 'node:path';
import { halfMadeBy, isAlive, lstatIfThere, removeIfThere } from '../../core/platform/index.ts';
import { isComingBack, leftRedirects, type Workspace } from '../../core/workspace/index.ts';
import { isLocked } from '../../service/lifecycle/index.ts';
import type { Check } from './check.ts';
import { pinged } from './running.ts';

/** What a killed process leaves behind. The next start removes most of it by itself. */
export const staleFiles: Check = {
  code: 'stale-files',
  severity: 'warning',
  sentence: 'a process that was killed has left files behind',
  repair: 'run: memd doctor --fix (`memd start` copes with them too)',
  look: async ({ workspace }) =>
    isLocked(workspace) ? [] : (await stale(workspace)).map((file) => ({ detail: file })),
  fix: {
    needsStop: true,
    does: 'it was removed',
    run: async ({ workspace }) => {
      for (const file of await stale(workspace)) removeIfThere(file);
    },
  },
};

/** For one who knows that no daemon has the workspace. */
async function stale(workspace: Workspace): Promise<string[]> {
  const { base, folder, pid, httpPort, socket, config, waking } = workspace;
  const files = [base, folder, path.dirname(config)].flatMap((place) =>
    lstatIfThere(place)?.isDirectory() ? fs.readdirSync(place).map((name) => path.join(place, name)) : [],
  );
  const isDead = lstatIfThere(socket)?.isSocket() === true && (await pinged(socket)) === 'absent';
  const left = new Set([pid, httpPort]);
  if (isDead) left.add(socket);
  // Not `run.idle`: that is a daemon which comes back when it is needed.
  if (!isComingBack(workspace)) left.add(waking);
  return files
    .filter((file) => left.has(file) || isHalfMade(path.basename(file)))
    .filter((file) => lstatIfThere(file)?.isDirectory() === false)
    .concat(leftRedirects(workspace))
    .sort();
}

/** A copy that was never given its name: `X.PID.tmp` of a process that is gone, a log's or a database's next one. */
function isHalfMade(name: string): boolean {
  const pid = halfMadeBy(name);
  if (pid !== null) return !isAlive(pid);
  return name === 'wal.ndjson.next' || /^db\.sqlite\.salvaging(?:-wal|-shm|-journal)?$/.test(name);
}
