import { once } from 'node:events';
import readline from 'node:readline';
import type { Json } from '#core/event';
import { messageOf } from '#core/platform';
import { openDatabase, type StoredSession } from './database.ts';

/**
 * `opencode.cjs FILE`: prints the sessions of a database, then the records of each session that a line of stdin names: a line
 * `{"value": ...}` for each, and `{"end": true}` or `{"error": "..."}` behind the last. Ends with stdin.
 */
async function main(file: string): Promise<void> {
  try {
    const database = await openDatabase(file);
    await answer(database.sessions() as unknown as Json[]);
    for await (const line of readline.createInterface({ input: process.stdin })) {
      const session: StoredSession = JSON.parse(line);
      try {
        await answer(database.records(session));
      } catch (error) {
        await print({ error: messageOf(error) });
      }
    }
  } catch (error) {
    await print({ error: messageOf(error) });
  }
}

async function answer(values: Iterable<Json> | AsyncIterable<Json>): Promise<void> {
  for await (const value of values) await print({ value });
  await print({ end: true });
}

async function print(answer: Json): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(answer)}\n`)) await once(process.stdout, 'drain');
}

void main(process.argv[2] ?? '');
