import type { TranscriptNotice } from '#capture/clients';
import { messageOf } from '#core/platform';
import { OnDemandThread } from '#core/thread';
import type { Engine } from '#service/engine';
import type { BackfillOps, Searched } from './messages.ts';

const followQueueMax = 64;
const followMs = 120_000;
const followIdleMs = 30_000;
const followHeapMiB = 256;

export interface FollowerOptions extends Searched {
  readonly engine: Engine;
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  readonly report: (message: string, fields: Readonly<Record<string, string>>) => void;
}

/** Reads the new parts of transcripts when hooks show that there are any, in a thread of its own, one at a time. */
export function transcriptFollower({ engine, script, report, ...where }: FollowerOptions) {
  const thread = new OnDemandThread<BackfillOps>({
    script,
    name: 'transcripts',
    workerData: null,
    resourceLimits: { maxOldGenerationSizeMb: followHeapMiB },
    queueMax: 1,
    requestMs: followMs,
    idleMs: followIdleMs,
  });
  /** Transcripts whose turn has not begun: a further notice adds nothing. */
  const waiting = new Set<string>();
  let turn: Promise<void> = Promise.resolve();
  const follow = async (notice: TranscriptNotice): Promise<void> => {
    const port = engine.connect();
    try {
      await thread.call('follow', { ...notice, ...where, engine: port }, [port]);
    } catch (error) {
      port.close();
      report('a transcript was not read; run: memd backfill', { error: messageOf(error) });
    }
  };
  return {
    /** Settles when the transcript is read, or was given up. */
    grown: (notice: TranscriptNotice): Promise<void> => {
      const key = JSON.stringify([notice.session, notice.file]);
      // The next notice of a session that finds no room covers it too.
      if (waiting.has(key) || waiting.size >= followQueueMax) return turn;
      waiting.add(key);
      turn = turn.then(() => {
        waiting.delete(key);
        return follow(notice);
      });
      return turn;
    },
    close: () => thread.close(),
  };
}
