import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Given, GivenTable, type Store, type Telling } from '../../memory/store/index.ts';
import { Items } from './items.ts';
import { SessionUse } from './session-use.ts';

const sessionsMax = 24;
const measuredItemsMax = 2_000;

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
  readonly #items: Items;
  #pending: Given[] = [];
  #made: { readonly of: string; readonly report: ReceiptsReport } | null = null;

  constructor(store: Pick<Store, 'connection'>) {
    this.#table = new GivenTable(store);
    this.#items = new Items(this.#table);
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
      if (kind !== 'outline' && kind !== 'recall') tools[kind] = (tools[kind] ?? 0) + 1;
    const counted = (kind: string): number => rows.filter((row) => row.kind === kind).length;
    const named = rows.filter(({ sessionId }) => sessionId !== '');
    const given = [...new Set(named.map(({ sessionId }) => sessionId).reverse())];
    const uses: SessionUse[] = [];
    for (const id of given.slice(0, sessionsMax)) {
      uses.push(new SessionUse(id, this.#table.events(id, eventsMax), named));
      await nextTurn();
    }
    const items = uses.flatMap((use) => use.given.map((one) => ({ ...one, use }))).slice(0, measuredItemsMax);
    await this.#items.know(items.map(({ id }) => id));
    const used = {
      commands: { given: 0, used: 0 },
      files: { given: 0, used: 0 },
      hits: { given: 0, used: 0 },
    };
    const take = (kind: keyof typeof used, isUsed: boolean): void => {
      used[kind].given += 1;
      if (isUsed) used[kind].used += 1;
    };
    for (const { id, row, use } of items) {
      const { kind, keys } = this.#items.get(id);
      if (kind !== null) take(kind, use.did(keys, row.afterSeq));
      take('hits', use.read(id, row));
    }
    return {
      since: rows[0]?.ts ?? null,
      ...{ outlines: counted('outline'), recalls: counted('recall'), tools },
      used,
    };
  }
}

const eventsMax = 3_000;
