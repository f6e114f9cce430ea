import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { findTranscripts } from '../clients/index.ts';
import { EngineClient } from '../engine/index.ts';
import type { BackfillTask, FromBackfill } from './messages.ts';
import { type BackfillOptions, runBackfill } from './run.ts';

/** The backfill's thread: reads, redacts, and has the engine store. */
async function main({ places, dryRun, engine }: BackfillTask): Promise<void> {
  const post = (message: FromBackfill): void => parentPort?.postMessage(message);
  const client = new EngineClient((message) => engine.postMessage(message));
  engine.on('message', (message) => client.receive(message));
  const result = await runBackfill({
    files: places.flatMap((place) => (isFile(place) ? [place] : findTranscripts(place))),
    store: dryRun ? looking(client) : (events) => client.call('commit', { events }),
    storePrompts: async (prompts) => {
      if (!dryRun) await client.call('keepPrompts', { prompts });
    },
    progress: (progress) => post({ kind: 'progress', progress }),
  });
  engine.close();
  post({ kind: 'done', result });
}

function isFile(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Stores nothing and answers what storing would have. */
function looking(client: EngineClient): BackfillOptions['store'] {
  const seen = new Set<string>();
  return async (events) => {
    const ids = events.map((event) => event.id);
    const known = new Set(await client.call('known', { ids }));
    let inserted = 0;
    for (const id of ids) {
      if (!known.has(id) && !seen.has(id)) inserted += 1;
      seen.add(id);
    }
    return { inserted, duplicates: ids.length - inserted };
  };
}

// A rejection here ends the thread with its error, which the daemon hears of.
void main(workerData as BackfillTask);
