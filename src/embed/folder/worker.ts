import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { Failure } from '../../platform/index.ts';
import type { FromModelThread, ToModelThread } from './messages.ts';
import { loadStaticModel, type StaticModel } from './static-model.ts';

/** The thread of a folder's model: loads it, says so, then embeds what it is given, in the order it comes. */
function main(port: MessagePort): void {
  let model: StaticModel;
  try {
    model = loadStaticModel(v.parse(v.string(), workerData));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    post(port, { kind: 'unusable', message: error.message });
    return;
  }
  port.on('message', ({ id, texts }: ToModelThread) => {
    const packed = new Float32Array(texts.length * model.dim);
    for (const [at, text] of texts.entries()) packed.set(model.embed(text), at * model.dim);
    port.postMessage({ kind: 'vectors', id, packed } satisfies FromModelThread, [packed.buffer]);
  });
  post(port, { kind: 'loaded', dim: model.dim, version: model.version });
}

function post(port: MessagePort, message: FromModelThread): void {
  port.postMessage(message);
}

if (parentPort !== null) main(parentPort);
