import { parentPort, workerData } from 'node:worker_threads';
import { EngineClient } from '../engine/index.ts';
import type { BackfillTask, FromBackfill } from './messages.ts';
import { type BackfillOptions, runBackfill } from './run.ts';
import { transcriptsOf } from './sources.ts';

/** The backfill's thread: finds, reads, redacts, and has the engine store. */
async function main({ source, dryRun, engine }: BackfillTask): Promise<void> {
  const post = (message: FromBackfill): void => parentPort?.postMessage(message);
  const client = new EngineClient((message) => engine.postMessage(message));
  engine.on('message', (message) => client.receive(message));
  const found = await transcriptsOf(source);
  try {
    const result = await runBackfill({
      found,
      store: dryRun ? looking(client) : (events) => client.call('commit', { events }),
      storePrompts: async (prompts) => {
        if (!dryRun) await client.call('keepPrompts', { prompts });
      },
      progress: (progress) => post({ kind: 'progress', progress }),
    });
    post({ kind: 'done', result });
  } finally {
    found.close();
    engine.close();
  }
}

/** Stores nothing and answers what storing would have. */
function looking(client: EngineClient): BackfillOptions['store'] {
  const seen = new Set<string>();
  const paired = new Set<string>();
  return async (events) => {
    const previewed = await client.call('preview', { events });
    let inserted = 0;
    for (const [at, { known, duplicates: twins }] of previewed.entries()) {
      const id = events[at]?.id ?? '';
      const twin = known || seen.has(id) ? undefined : twins.find((each) => !paired.has(each));
      if (twin !== undefined) paired.add(twin);
      else if (!known && !seen.has(id)) inserted += 1;
      seen.add(id);
    }
    return { inserted, duplicates: events.length - inserted };
  };
}

// A rejection here ends the thread with its error, which the daemon hears of.
void main(workerData as BackfillTask);
