import type { Json } from '#core/event';
import { captureThreadQueueMax } from '#core/limits';
import { Failure } from '#core/platform';
import { OnDemandThread } from '#core/thread';
import type { ReadFrame } from './read-frame.ts';

const captureThreadFrameMs = 30_000;
const captureThreadHeapMiB = 512;
const captureThreadIdleMs = 30_000;

export interface CaptureThreadOptions {
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  /** The fields of requests that ops know. */
  readonly fields: readonly string[];
  /** How long it stays without work. */
  readonly idleMs?: number;
}

/** What a frame holds, or its refusal; `rid` when the request has one. */
export interface FrameOutcome {
  readonly rid?: Json;
  readonly outcome: ReadFrame | { readonly kind: 'refused'; readonly code: string; readonly message: string };
}

export type CaptureOps = { readonly read: (args: { readonly frame: Uint8Array }) => FrameOutcome };

/**
 * Reads large frames away from the socket's thread: parsing and redacting one takes a tenth of a second, and other captures must not
 * wait for it.
 */
export class CaptureThread extends OnDemandThread<CaptureOps> {
  constructor({ script, fields, idleMs = captureThreadIdleMs }: CaptureThreadOptions) {
    super({
      script,
      name: 'capture',
      workerData: fields,
      resourceLimits: { maxOldGenerationSizeMb: captureThreadHeapMiB },
      queueMax: captureThreadQueueMax,
      requestMs: captureThreadFrameMs,
      idleMs,
    });
  }

  /**
   * The memory of `frame` moves to the thread. `onRid` gets the request's `rid` before this settles.
   * @throws Failure `busy`, `unavailable`, or the refusal of what the frame holds; any other error is a broken invariant
   */
  async read(frame: Uint8Array, onRid: (rid: Json) => void): Promise<ReadFrame> {
    const owned = frame.buffer instanceof ArrayBuffer ? [frame.buffer] : [];
    const { rid, outcome } = await this.call('read', { frame }, owned);
    if (rid !== undefined) onRid(rid);
    if (outcome.kind === 'refused') throw new Failure(outcome.code, outcome.message);
    return outcome;
  }
}
