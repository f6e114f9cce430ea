import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messageTools, type Role, type ToolEvent } from '#core/event';
import { openStore, type Store } from '../../../src/memory/store/store.ts';

/** A store in a folder of its own. */
export interface TestStore {
  readonly store: Store;
  readonly file: string;
  remove(): void;
}

export function newStore(): TestStore {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-store-'));
  const file = path.join(folder, 'db.sqlite');
  const store = openStore(file);
  return {
    store,
    file,
    remove: () => {
      // First the files: where SQLite's log is gone, no garbage is collected, which takes longer than most tests.
      fs.rmSync(folder, { recursive: true, force: true });
      store.close();
    },
  };
}

/** The `at`-th event of a session; its time is `at` seconds after an hour. */
export function eventAt(at: number, more: Partial<ToolEvent> = {}): ToolEvent {
  return {
    id: `ev_${at}`,
    tool: 'Bash',
    input: { command: `step ${at}` },
    output: 'ok',
    sessionId: 's1',
    toolUseId: `call_${at}`,
    ts: new Date(Date.UTC(2026, 0, 1, 12, 0, at)).toISOString(),
    client: 'claude-code',
    isError: false,
    cwd: '/p',
    ...more,
  };
}

/** What the user or the assistant said `at` seconds after an hour. */
export function messageAt(at: number, role: Role, text: string, more: Partial<ToolEvent> = {}): ToolEvent {
  return eventAt(at, {
    id: `ev_said_${at}`,
    tool: messageTools[role],
    input: {},
    output: text,
    toolUseId: null,
    message: { role, turnId: null, agentId: null },
    ...more,
  });
}

/** Stores events and a summary of each; answers the summaries' ids. */
export function summarised(
  store: Store,
  events: readonly ToolEvent[],
  textOf = (at: number) => `did ${at}`,
): number[] {
  store.events.insert(events);
  const claimed = store.events.claim('tester', 0, events.length, Date.now());
  store.summaries.finish(
    'tester',
    claimed.map((row, at) => ({ eventSeq: row.seq, text: textOf(at), terms: `term${at}`, model: 'm' })),
  );
  return store.connection
    .all(
      'SELECT s.id FROM summaries s JOIN json_each(?) j ON j.value = s.event_id ORDER BY j.key',
      JSON.stringify(events.map((one) => one.id)),
    )
    .map((row) => Number(row.id));
}

/** The vectors of one embedder, in the order they were stored. */
export function storedVectors({ connection }: Pick<Store, 'connection'>, embedder: string, version: number) {
  const sql = `SELECT seq, summary_id, vector FROM summary_embeddings WHERE embedder = ? AND version = ? ORDER BY seq`;
  return connection.all(sql, embedder, version).map(({ seq, summary_id: summaryId, vector }) => ({
    seq: Number(seq),
    summaryId: Number(summaryId),
    vector: vector as Uint8Array,
  }));
}
