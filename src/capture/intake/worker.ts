import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Json } from '../../core/event/index.ts';
import { Failure } from '../../core/platform/index.ts';
import { readFrame } from './read-frame.ts';
import type { CaptureThreadData, FromCaptureThread, ToCaptureThread } from './thread-messages.ts';

/** The capture thread: reads one large frame after the other. What is thrown that is no refusal ends it. */
function main(port: MessagePort, { fields }: CaptureThreadData): void {
  port.on('message', ({ frame }: ToCaptureThread) => port.postMessage(read(frame, fields)));
}

function read(frame: Uint8Array, fields: readonly string[]): FromCaptureThread {
  let rid: { rid?: Json } = {};
  const told = (value: Json): void => {
    rid = { rid: value };
  };
  try {
    const outcome = readFrame(frame, fields, told);
    return { ...rid, outcome };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...rid, outcome: { kind: 'refused', code: error.code, message: error.message } };
  }
}

if (parentPort !== null) main(parentPort, workerData as CaptureThreadData);
