import { loadConfig } from '#core/config';
import { objectAt, stringAt } from '#core/event';
import { backfillTimeoutMs, embeddingLagMax, payloadCharsAverageMax } from '#core/limits';
import { call, ping } from '#core/rpc';
import { oneLine } from '#core/text';
import { Consolidator } from '#memory/consolidate';
import { indexLag, skipReasons } from '#memory/store';
import { redactText } from '#redact/engine';
import { conditions } from '#service/info';
import { type Check, type Context, noted, type Problem, type Subject } from './check.ts';
import { reported } from './daemon-state.ts';
import { inStore, readStore } from './read-store.ts';
import { bytesOf, quoted, size } from './words.ts';

/** Whether the full-text index has every memory and nothing else. */
export const lexicalIndex: Check = {
  code: 'index',
  severity: 'warning',
  sentence: 'memories are missing in the full-text index',
  repair: 'run `memd doctor --fix`',
  run: async ({ workspace }) => {
    const { missing, surplus } = readStore(workspace, indexLag) ?? { missing: 0, surplus: 0 };
    const sentence = 'the full-text index holds words of removed memories';
    return [
      ...(missing > 0 ? [{ detail: `${missing} missing` }] : []),
      ...(surplus > 0 ? [{ sentence, detail: `${surplus} entries` }] : []),
    ];
  },
  fix: {
    needsStop: true,
    done: 'the index was rebuilt',
    run: async ({ workspace }) => inStore(workspace.database, ({ summaries }) => summaries.renewIndex()),
  },
};

/** Whether memories have vectors, of the embedder in force if a daemon says which that is. */
export const vectors: Check = {
  ...conditions.vectors,
  run: checkVectors,
  fix: { needsStop: false, done: 'the vectors were made', run: embed },
};

async function checkVectors(context: Context): Promise<Problem[]> {
  const embedder = stringAt(objectAt((await context.info()) ?? {}, 'backends') ?? {}, 'embedder') ?? null;
  const sql = 'SELECT count(*) AS n FROM summary_embeddings WHERE embedder = ?';
  const counts = readStore(context.workspace, ({ stats, embeddings, connection }) => ({
    all: stats.counts().summaries,
    any: embeddings.countAll(),
    current: embedder === null ? null : Number(connection.get(sql, embedder)?.n ?? 0),
  }));
  if (counts === null) return [];
  const { all, any, current } = counts;
  // More than about 100 behind means that the embedder fails, unless a daemon is at work on them.
  if (all - any > embeddingLagMax)
    return (await context.info()) === null
      ? [{ detail: `${all - any} of ${all}` }]
      : reported('vectors')(context);
  if (current === null || all - current <= embeddingLagMax) return [];
  const sentence = 'memories have vectors of another embedder than the one in force';
  const repair = 'wait: if the other embedder stays away for a day, they are made again (docs/models.md)';
  return [noted(sentence, `${all - current} of ${all}, not of ${embedder}`, repair)];
}

/** A drain of no events makes the missing vectors and calls no model for summaries. Uses the daemon if it answers. */
async function embed({ workspace, env, progress }: Subject): Promise<void> {
  progress('making vectors');
  if ((await ping(workspace.socket)) === 'ok') {
    await call(workspace.socket, { op: 'drain', limit: 0 }, { timeoutMs: backfillTimeoutMs });
    return;
  }
  const { config } = loadConfig(workspace.config, env);
  await inStore(workspace.database, async (store) => {
    const consolidator = new Consolidator({ store, config, env, report: () => {} });
    await consolidator.drain(0, new AbortController().signal);
    await consolidator.close();
  });
}

const reasonsMax = 3;
const reasonCharsMax = 160;

/** Events that were given up, and the most frequent reasons. */
export const skippedRows: Check = {
  ...conditions.skippedRows,
  run: async ({ workspace }) => {
    const stored = readStore(workspace, (store) => ({
      skipped: store.stats.counts().skipped,
      reasons: skipReasons(store, reasonsMax),
    }));
    if (stored === null || stored.skipped === 0) return [];
    const reasons = stored.reasons.map(
      ({ reason, rows }) => `${rows} x ${oneLine(redactText(reason ?? 'no reason').text, reasonCharsMax)}`,
    );
    const sql = `sqlite3 ${quoted(workspace.database)} "UPDATE events SET status='raw' WHERE status='skipped'"`;
    const repair = `correct the cause, then retry them: ${sql}`;
    return [{ detail: `${stored.skipped} in all; ${reasons.join('; ')}`, repair }];
  },
};

const youngDatabaseBytesMax = 1024 * 1024 * 1024;
const youngDays = 365;
const sampleRows = 2_000;

/** Whether payloads or a young database are larger than usual (spec 8). */
export const overCapture: Check = {
  code: 'over-capture',
  severity: 'warning',
  sentence: 'more is captured than a memory can use',
  repair: 'make the tool return less, or lower retention.payloadDays and retention.databaseMiB',
  run: async ({ workspace }) => {
    const stored = readStore(workspace, ({ connection }) => ({
      average: connection.get(
        'SELECT avg(length(payload_json)) AS n FROM (SELECT payload_json FROM events ORDER BY seq DESC LIMIT ?)',
        sampleRows,
      )?.n,
      oldest: connection.get('SELECT ts FROM events ORDER BY seq LIMIT 1')?.ts,
    }));
    if (stored === null || typeof stored.oldest !== 'string') return [];
    const ageDays = (Date.now() - Date.parse(stored.oldest)) / 86_400_000;
    return checkAmounts(Number(stored.average ?? 0), bytesOf(workspace.database), ageDays);
  },
};

export function checkAmounts(averageChars: number, bytes: number, ageDays: number): Problem[] {
  const average = `the last ${sampleRows} calls have ${Math.round(averageChars)} characters on average`;
  const database = `the database has ${size(bytes)} after ${Math.max(0, Math.round(ageDays))} days`;
  return [
    ...(averageChars > payloadCharsAverageMax ? [{ detail: average }] : []),
    ...(bytes > youngDatabaseBytesMax && ageDays < youngDays ? [{ detail: database }] : []),
  ];
}

/** Events of an earlier version whose content was left out because there was no time to redact it. */
export const incompleteEvents: Check = {
  code: 'incomplete',
  severity: 'warning',
  sentence: 'events lack their content, which an earlier version left out on a busy machine',
  repair: 'run `memd backfill`: the transcripts of your assistants may still have it',
  run: async ({ workspace }) => {
    const count = readStore(workspace, ({ events }) => events.countIncomplete()) ?? 0;
    return count > 0 ? [{ detail: String(count) }] : [];
  },
};
