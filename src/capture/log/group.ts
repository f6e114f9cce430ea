const logBatchBytesMax = 4 * 1024 * 1024;

/** A line that waits for its sync. */
export interface Waiting {
  readonly bytes: Buffer;
  readonly resolve: (end: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Takes from the queue the lines that are written and synced together. */
export function groupOf(queue: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const waiting of queue) {
    if (count > 0 && bytes + waiting.bytes.length > logBatchBytesMax) break;
    bytes += waiting.bytes.length;
    count += 1;
  }
  return queue.splice(0, count);
}
