import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ToolEvent } from '#core/event';
import { openStore, type Store } from '#memory/store';
import type { Backend, BatchOutcome, RawEvent } from '../../../src/memory/summarise/backend.ts';
import { type DrainOptions, type DrainResult, drain } from '../../../src/memory/summarise/drain.ts';

/** What one model call costs here. */
export const usage = { calls: 1, inputTokens: 10, outputTokens: 1 };

export const draft = (event: RawEvent) => ({ text: `did ${event.id}`, terms: '' });

export function allDone(events: readonly RawEvent[]): BatchOutcome {
  return { kind: 'done', answers: events.map(draft), usage };
}

/** How a row looks that nothing was counted against. */
export const untouched = { status: 'raw', attempts: 0, last_error: null, lease_owner: null };

export interface Asked {
  readonly backend: Backend;
  /** The ids of each call. */
  readonly calls: string[][];
}

/** A backend that answers as `answer` says, and remembers what it was asked. */
export function backendOf(
  answer: (events: readonly RawEvent[], signal: AbortSignal) => BatchOutcome | Promise<BatchOutcome>,
  more: Partial<Backend> = {},
): Asked {
  const calls: string[][] = [];
  const backend: Backend = {
    name: 'local',
    model: 'm',
    batchMax: 100,
    summarise: async (events, signal) => {
      calls.push(events.map((event) => event.id));
      return answer(events, signal);
    },
    ...more,
  };
  return { backend, calls };
}

/** A store of raw events and drains of it. */
export class Bench {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-drain-'));
  readonly file = path.join(this.folder, 'db.sqlite');
  readonly store: Store = openStore(this.file);
  readonly stop = new AbortController();
  readonly reports: string[] = [];

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
    this.store.close();
  }

  /** Raw events `ev_0`, `ev_1`, ... */
  fill(count: number): void {
    this.store.events.insert(Array.from({ length: count }, (_, at) => eventAt(at)));
  }

  run(
    { backend }: Asked,
    limit: number | null = null,
    more: Partial<DrainOptions> = {},
  ): Promise<DrainResult> {
    const options: DrainOptions = {
      store: this.store,
      choose: async () => ({ backend }),
      batchSize: 4,
      attemptsMax: 3,
      owner: 'me',
      report: (message, fields) => this.reports.push(`${message} ${JSON.stringify(fields)}`),
      signal: this.stop.signal,
      ...more,
    };
    return drain(options, limit);
  }

  rows() {
    const sql = 'SELECT id, status, attempts, last_error, lease_owner FROM events ORDER BY seq';
    return this.store.connection.all(sql);
  }

  row(id: string) {
    return this.rows().find((row) => row.id === id);
  }
}

function eventAt(at: number): ToolEvent {
  return {
    id: `ev_${at}`,
    tool: 'Bash',
    input: { n: at },
    output: 'ok',
    sessionId: 's',
    toolUseId: `c${at}`,
    ts: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
    client: 'generic',
    isError: false,
    cwd: null,
  };
}
