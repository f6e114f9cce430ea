import { readRecord, syncObstacle, syncStatus } from '#service/sync';
import type { Check, Context, Problem } from './check.ts';
import { settingsOf } from './settings.ts';

const pushDaysMax = 7;

/** Whether `memd sync` works, where it is on. Opens no connection. */
export const sync: Check = {
  code: 'sync',
  severity: 'warning',
  sentence: 'the last `memd sync` failed',
  repair: 'run `memd sync`',
  run: checkSync,
};

async function checkSync(context: Context): Promise<Problem[]> {
  const { workspace, env } = context;
  // Where it is off, git is not asked who the author is.
  const config = readRecord(workspace) === null ? undefined : settingsOf(context)?.config;
  if (config === undefined) return [];
  const status = await syncStatus(workspace, config, env);
  const problems: Problem[] = [];
  const obstacle = await syncObstacle(workspace, config, env);
  if (obstacle !== null)
    problems.push({
      sentence: 'the next `memd sync` cannot use what it needs',
      detail: obstacle.what,
      ...(obstacle.repair !== null && { repair: obstacle.repair }),
    });
  const { failure, newer, waiting, pushedAt } = status;
  if (failure !== null) problems.push({ detail: `${failure.at}: ${failure.what}` });
  if (newer > 0)
    problems.push({
      sentence: 'a newer memd wrote segments at the remote, which were not read',
      detail: String(newer),
      repair: 'install the newest memd, then run `memd sync`',
    });
  const days = pushedAt === null ? null : Math.floor((Date.now() - Date.parse(pushedAt)) / 86_400_000);
  if ((waiting ?? 0) > 0 && days !== null && days >= pushDaysMax)
    problems.push({
      severity: 'note',
      sentence: 'changes wait to be sent',
      detail: `${waiting}, the last push was ${days} days ago`,
      repair: 'run `memd sync`, or set `sync.auto`',
    });
  return problems;
}
