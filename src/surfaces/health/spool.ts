import { drainSpool, droppedCount } from '../../capture/intake/index.ts';
import { spoolBytesMax, spoolFullShare } from '../../core/limits.ts';
import { openStore } from '../../memory/store/index.ts';
import type { Check, Found, Looked, Subject } from './check.ts';
import { bytesOf, size } from './words.ts';

/** What hooks have kept for a daemon, and what they could not keep. */
export const spool: Check = {
  code: 'spool',
  severity: 'warning',
  sentence: 'tool calls are lost, since no daemon took them and the spool was full',
  repair: 'run: memd start (and memd install CLIENT, whose hooks start it at each session)',
  look,
  fix: { needsStop: true, does: 'what the spool held is in the database', run: takeIn },
};

async function look({ workspace, running }: Looked): Promise<Found[]> {
  const dropped = bytesOf(droppedCount(workspace.spool));
  const waiting = bytesOf(workspace.spool) + bytesOf(`${workspace.spool}.taking`);
  const held = `${size(waiting)} of ${size(spoolBytesMax)}`;
  const repair = 'run: memd start';
  if (dropped > 0) return [{ detail: `${dropped} calls; the spool holds ${held}` }];
  if (waiting >= spoolFullShare * spoolBytesMax) {
    return [{ sentence: 'the spool is nearly full; what comes next is lost', detail: held, repair }];
  }
  // A daemon that answers takes it in at its next tick.
  if (waiting === 0 || (await running()) !== null) return [];
  const sentence = 'tool calls wait in the spool for a daemon';
  return [{ severity: 'note', sentence, detail: held, repair, isFixable: false }];
}

/** Under the workspace's lock, as the start of a daemon does it. */
async function takeIn({ workspace }: Subject): Promise<void> {
  const store = openStore(workspace.database);
  try {
    const commit = async (events: Parameters<typeof store.events.insert>[0]): Promise<void> => {
      store.events.insert(events);
    };
    // What cannot be read of it stays out, as at a start.
    await drainSpool(workspace.spool, commit, () => {});
  } finally {
    store.close();
  }
}
