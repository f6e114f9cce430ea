import path from 'node:path';
import { drainSpool, droppedCount } from '#capture/intake';
import { own } from '#core/event';
import { spoolBytesMax, spoolFullShare } from '#core/limits';
import { isMine, lstatIfThere, readIfThere, removeIfThere } from '#core/platform';
import { isToken } from '#service/bridge';
import { conditions } from '#service/info';
import { type Check, type Context, noted, type Problem, type Subject } from './check.ts';
import { reported } from './daemon-state.ts';
import { inStore } from './read-store.ts';
import { bytesOf, filesIn, quoted, size, some } from './words.ts';

/** Whether the page's token is valid; the check `modes` looks at mode, owner and kind of its file. */
export const token: Check = {
  code: 'token',
  severity: 'warning',
  sentence: "the page's token file is not valid, so the next start cannot serve the page",
  repair: 'run `memd doctor --fix` (it removes the file; the next start makes a new token)',
  run: checkToken,
  fix: {
    needsStop: true,
    done: 'it was removed; the next start makes a new one',
    run: async ({ workspace }) => removeIfThere(workspace.token),
  },
};

async function checkToken(context: Context): Promise<readonly Problem[]> {
  const { token: file } = context.workspace;
  const stat = lstatIfThere(file);
  if (stat === null && own((await context.info()) ?? {}, 'http') != null) {
    const sentence = "the page's token file is missing; the running daemon goes on with the former token";
    return [{ sentence, detail: file, repair: 'run `memd restart` (it makes a new token)' }];
  }
  const isReadable = stat?.isFile() === true && isMine(stat) && (stat.mode & 0o400) !== 0;
  if (isReadable && !isToken(readIfThere(file) ?? '')) return [{ detail: file }];
  const { severity, sentence, repair } = conditions.tokenReplaced;
  const replaced = await reported('token')(context);
  return replaced.map(({ detail }) => ({ severity, sentence, repair, detail, isFixable: false }));
}

/** What hooks have written for the next start, and what did not fit. */
export const spool: Check = {
  code: 'spool',
  severity: 'warning',
  sentence: 'tool calls were lost: no daemon took them, and the spool or the disk was full',
  repair: 'run `memd start` (hooks of `memd install CLIENT` start it at each session)',
  run: checkSpool,
  fix: { needsStop: true, done: 'its calls are in the database', run: storeSpool },
};

async function checkSpool({ workspace, info }: Context): Promise<Problem[]> {
  const dropped = bytesOf(droppedCount(workspace.spool));
  const waiting = bytesOf(workspace.spool) + bytesOf(`${workspace.spool}.taking`);
  const detail = `${size(waiting)} of ${size(spoolBytesMax)}`;
  const repair = 'run `memd start`';
  if (dropped > 0) return [{ detail: `${dropped} calls; the spool holds ${detail}` }];
  if (waiting >= spoolFullShare * spoolBytesMax)
    return [{ sentence: 'the spool is nearly full; further calls will be lost', detail, repair }];
  // A daemon that answers stores it at its next tick.
  if (waiting === 0 || (await info()) !== null) return [];
  return [noted('tool calls wait in the spool for the next start', detail, repair)];
}

/** Under the workspace's lock, like the start of a daemon. Lines that cannot be read stay in the spool. */
async function storeSpool({ workspace }: Subject): Promise<void> {
  await inStore(workspace.database, ({ events }) =>
    drainSpool(
      workspace.spool,
      async (batch) => void events.insert(batch),
      () => {},
    ),
  );
}

/** Copies of the database from before a migration or a repair: memd never deletes one. */
export const backups: Check = {
  code: 'backups',
  severity: 'note',
  sentence: 'copies of the database use disk space',
  repair: 'remove them when you no longer need them',
  run: async ({ workspace: { folder } }) => {
    const pattern = /^db\.sqlite\.(?:schema-\d+\.backup|corrupt-.*)$/;
    const files = filesIn(folder, (name) => pattern.test(name));
    const bytes = files.reduce((sum, file) => sum + bytesOf(file), 0);
    const repair = `when you no longer need them, run \`rm ${files.map(quoted).join(' ')}\``;
    return files.length === 0
      ? []
      : [{ detail: `${size(bytes)}: ${some(files.map((file) => path.basename(file)))}`, repair }];
  },
};
