import fs from 'node:fs';
import path from 'node:path';
import type { Home } from '../support/home.ts';
import { Wire } from '../support/wire.ts';
import { outputOf, type Record } from './load.ts';

const session = 'followed';
const repliesPerRound = 3;

const fileOf = (home: Home): string => path.join(home.project, 'session.jsonl');

/** An assistant writes replies to its transcript. Each must be stored once after a last notice, whatever happens between. */
export function writeReplies(home: Home, name: string, record: Record): void {
  const names = Array.from({ length: repliesPerRound }, (_, at) => `${name}-said-${at}`);
  for (const one of names) record.said.set(one, outputOf(one, 200));
  const lines = names.map((one) => ({
    ...{ type: 'assistant', sessionId: session, uuid: one, timestamp: '2026-05-04T03:02:01Z' },
    message: { content: [{ type: 'text', text: record.said.get(one) ?? '' }] },
  }));
  fs.appendFileSync(fileOf(home), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** The hook at the end of a turn, which the daemon may answer or die of. */
export async function sendStop(home: Home): Promise<void> {
  const payload = { hook_event_name: 'Stop', session_id: session, transcript_path: fileOf(home) };
  try {
    const wire = await Wire.open(home.workspace().socket);
    wire.send(`${JSON.stringify({ op: 'capture', client: 'claude-code', payload })}\n`);
    await wire.line();
    wire.close();
  } catch {
    // Dead already; the next notice covers this one.
  }
}

/** How many replies of the transcript are stored. */
export function followed(home: Home): number {
  const [row] = home.rows('SELECT count(*) AS n FROM events WHERE session_id = ?', session);
  return Number(row?.n);
}
