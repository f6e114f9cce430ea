import { setImmediate as nextTurn } from 'node:timers/promises';
import { toolFamily } from '#core/event';
import { type Given, GivenTable, type Store, type Telling } from '#memory/store';

const sessionsMax = 24;

/** Of memories given to sessions: how many were used afterwards in their session. */
export interface Used {
  readonly given: number;
  readonly used: number;
}

export interface ReceiptsReport {
  /** ISO 8601: the oldest that is counted; null: nothing was given. */
  readonly since: string | null;
  readonly outlines: number;
  readonly recalls: number;
  /** Calls of memd's tools, by name. */
  readonly tools: Readonly<Record<string, number>>;
  /** Commands that ran again, files that were opened or changed, and hits that were read with another tool. */
  readonly used: { readonly commands: Used; readonly files: Used; readonly hits: Used };
}

/** Keeps the record and makes the report. */
export class Receipts {
  readonly #table: GivenTable;
  #pending: Given[] = [];
  #made: { readonly of: string; readonly report: ReceiptsReport } | null = null;

  constructor(store: Pick<Store, 'connection'>) {
    this.#table = new GivenTable(store);
  }

  /** Records after the answer of the caller is on its way. */
  gave(given: Given): void {
    this.#pending.push(given);
    if (this.#pending.length === 1) setImmediate(() => this.flush());
  }

  /** A hook reports a call of an own tool, which names the session of what the tool gave. */
  ownTool(call: Pick<Given, 'sessionId' | 'kind'>): void {
    this.flush();
    if (!this.#table.attribute(call, Date.now())) this.gave({ ...call, server: '', ids: [] });
  }

  flush(): void {
    const pending = this.#pending;
    this.#pending = [];
    this.#table.add(pending, Date.now());
  }

  /** Whether recall has told a reader one of these memories, also before a restart. */
  hasTold(reader: Pick<Given, 'sessionId' | 'server'>, ids: readonly number[]): boolean {
    this.flush();
    return this.#table.has(reader, ids);
  }

  /** What was said unasked, newest first. */
  told(limit: number): Telling[] {
    this.flush();
    return this.#table.tellings(limit);
  }

  async report(): Promise<ReceiptsReport> {
    this.flush();
    const of = this.#table.state();
    if (this.#made?.of !== of) this.#made = { of, report: await this.#measured() };
    return this.#made.report;
  }

  async #measured(): Promise<ReceiptsReport> {
    const rows = this.#table.rows();
    const tools: Record<string, number> = {};
    for (const { kind } of rows)
      if (!['outline', 'recall', 'rule'].includes(kind)) tools[kind] = (tools[kind] ?? 0) + 1;
    const counted = (kind: string): number => rows.filter((row) => row.kind === kind).length;
    const named = rows.map(({ sessionId }) => sessionId).filter((id) => id !== '');
    const none = () => ({ given: 0, used: 0 });
    const used = { commands: none(), files: none(), hits: none() };
    const take = (kind: keyof typeof used, isUsed: boolean): void => {
      used[kind].given += 1;
      if (isUsed) used[kind].used += 1;
    };
    for (const id of [...new Set(named.reverse())].slice(0, sessionsMax)) {
      for (const { tool, isKnown, isTouched, isRepeated, isRead } of this.#table.uses(id)) {
        const family = toolFamily(tool);
        if (isKnown && family === 'command') take('commands', isRepeated);
        if (isKnown && (family === 'edit' || family === 'read')) take('files', isTouched);
        take('hits', isRead);
      }
      await nextTurn();
    }
    return {
      since: rows[0]?.ts ?? null,
      ...{ outlines: counted('outline'), recalls: counted('recall'), tools },
      used,
    };
  }
}
