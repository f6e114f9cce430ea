import type { TranscriptNotice } from '../../capture/clients/index.ts';
import { messageOf } from '../../core/platform/index.ts';
import { OnDemandThread } from '../../core/thread/index.ts';
import type { Engine } from '../engine/index.ts';
import type { BackfillOps, FollowTask } from './messages.ts';

const followQueueMax = 64;
const followMs = 120_000;
const followIdleMs = 30_000;
const followHeapMiB = 256;

export interface FollowerOptions extends Pick<FollowTask, 'root' | 'home' | 'env'> {
  readonly engine: Engine;
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  readonly report: (message: string, fields: Readonly<Record<string, string>>) => void;
}

/** Reads the new parts of transcripts when hooks show that there are any, in a thread of its own, one at a time. */
export class TranscriptFollower {
  readonly #options: FollowerOptions;
  readonly #thread: OnDemandThread<BackfillOps>;
  /** Transcripts whose turn has not begun: a further notice adds nothing. */
  readonly #waiting = new Set<string>();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#thread = new OnDemandThread({
      script: options.script,
      name: 'transcripts',
      workerData: null,
      resourceLimits: { maxOldGenerationSizeMb: followHeapMiB },
      queueMax: 1,
      requestMs: followMs,
      idleMs: followIdleMs,
    });
  }

  /** Settles when the transcript is read, or was given up. */
  readonly grown = (notice: TranscriptNotice): Promise<void> => {
    const key = JSON.stringify([notice.session, notice.file]);
    // The next notice of a session that finds no room covers it too.
    if (this.#waiting.has(key) || this.#waiting.size >= followQueueMax) return this.#turn;
    this.#waiting.add(key);
    this.#turn = this.#turn.then(() => {
      this.#waiting.delete(key);
      return this.#follow(notice);
    });
    return this.#turn;
  };

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #follow(notice: TranscriptNotice): Promise<void> {
    const { engine, root, home, env, report } = this.#options;
    const port = engine.connect();
    try {
      await this.#thread.call('follow', { ...notice, root, home, env, engine: port }, [port]);
    } catch (error) {
      port.close();
      report('a transcript was not read; run: memd backfill', { error: messageOf(error) });
    }
  }
}
