// A thread: appends 2 KB to a file and waits for the disk, every 5 ms, until it is asked for the times in ms.
import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const fd = fs.openSync(workerData, 'a');
const bytes = Buffer.alloc(2048, 'x');
const times = [];
let isOver = false;
parentPort.once('message', () => {
  isOver = true;
});
while (!isOver) {
  const began = performance.now();
  fs.writeSync(fd, bytes);
  fs.fdatasyncSync(fd);
  times.push(performance.now() - began);
  await pause(5);
}
fs.closeSync(fd);
parentPort.postMessage(times);
