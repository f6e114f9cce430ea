import { type MessagePort, parentPort } from 'node:worker_threads';
import type { Json } from '../event/index.ts';
import { Failure } from '../platform/index.ts';
import { readCaptureFrame } from './read-capture.ts';
import type { FromCaptureThread, ToCaptureThread } from './thread-messages.ts';

/** The capture thread: reads one large frame after the other. What is thrown that is no refusal ends it. */
function main(port: MessagePort): void {
  port.on('message', ({ frame }: ToCaptureThread) => port.postMessage(read(frame)));
}

function read(frame: Uint8Array): FromCaptureThread {
  let rid: { rid?: Json } = {};
  const told = (value: Json): void => {
    rid = { rid: value };
  };
  try {
    const outcome = readCaptureFrame(frame, told);
    return { ...rid, outcome };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...rid, outcome: { kind: 'refused', code: error.code, message: error.message } };
  }
}

if (parentPort !== null) main(parentPort);
