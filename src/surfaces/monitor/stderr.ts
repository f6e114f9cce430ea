import fs from 'node:fs';

/** A line on stderr. One that cannot be told (nobody reads it, or its disk is full as well) costs neither the watching nor the next. */
export function writeToStderr(text: string): void {
  try {
    // Not `process.stderr`, which ends for good with its first error.
    fs.writeSync(2, `${text}\n`);
  } catch {
    // What counts is health.ndjson.
    return;
  }
}
