import { workerData } from 'node:worker_threads';
import type { Json } from '#core/event';
import { Failure } from '#core/platform';
import { serveThread } from '#core/thread';
import { redactText } from '#redact/engine';
import { readFrame } from './read-frame.ts';
import type { CaptureOps, FrameOutcome } from './thread.ts';

/** The fields of requests that ops know. */
const fields = workerData as readonly string[];

// Compiles the rules now, not with the first frame.
redactText('');

/** The capture thread: parses, adapts and redacts large frames. */
serveThread<CaptureOps>({ open: () => ({ read }) });

function read({ frame }: { readonly frame: Uint8Array }): FrameOutcome {
  let rid: { rid?: Json } = {};
  const onRid = (value: Json): void => {
    rid = { rid: value };
  };
  try {
    const outcome = readFrame(frame, fields, onRid);
    return { ...rid, outcome };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...rid, outcome: { kind: 'refused', code: error.code, message: error.message } };
  }
}
