import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Given, GivenTable, type Store } from '../../memory/store/index.ts';
import { Items } from './items.ts';
import { SessionUse } from './session-use.ts';

const comparedSessionsMax = 24;
const measuredItemsMax = 2_000;

/** Of memories given to sessions: how many were used afterwards in their session. */
export interface Used {
  readonly given: number;
  readonly used: number;
  /** The number that the same measure finds in other sessions, on average; null: none to compare with. */
  readonly byChance: number | null;
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
    for (const id of new Set([
      ...given.slice(0, comparedSessionsMax),
      ...this.#table.sessions(comparedSessionsMax),
    ])) {
      uses.push(new SessionUse(id, this.#table.events(id, eventsMax), named));
      await nextTurn();
    }
    const items = uses.flatMap((use) => use.given.map((one) => ({ ...one, use }))).slice(0, measuredItemsMax);
    await this.#items.know(items.map(({ id }) => id));
    const tally = { commands: new Tally(), files: new Tally(), hits: new Tally() };
    for (const { id, row, use } of items) {
      const { kind, keys, sessionId } = this.#items.get(id);
      const others = uses.filter((other) => other !== use && other.id !== sessionId);
      const depth = use.depth(row);
      if (kind !== null)
        tally[kind].take(
          use.did(keys, row.afterSeq),
          chance(others, depth, (other, from) => other.did(keys, from)),
        );
      tally.hits.take(
        use.read(id, row),
        chance(others, depth, (other, from) => other.readAny(id, from)),
      );
    }
    const { commands, files, hits } = tally;
    return {
      since: rows[0]?.ts ?? null,
      ...{ outlines: counted('outline'), recalls: counted('recall'), tools },
      used: { commands: commands.used(), files: files.used(), hits: hits.used() },
    };
  }
}

const eventsMax = 3_000;

/** The share of other sessions that did the same after as many events; null without one that has so many. */
function chance(
  others: readonly SessionUse[],
  depth: number,
  did: (other: SessionUse, from: number) => boolean,
): number | null {
  const found = others.flatMap((other) => {
    const from = other.at(depth);
    return from === null ? [] : [did(other, from)];
  });
  return found.length === 0 ? null : found.filter(Boolean).length / found.length;
}

class Tally {
  #given = 0;
  #used = 0;
  #compared = 0;
  #chance = 0;

  take(isUsed: boolean, byChance: number | null): void {
    this.#given += 1;
    if (isUsed) this.#used += 1;
    if (byChance === null) return;
    this.#compared += 1;
    this.#chance += byChance;
  }

  used(): Used {
    const share = this.#compared === 0 ? null : this.#chance / this.#compared;
    const byChance = share === null ? null : Math.round(share * this.#given * 10) / 10;
    return { given: this.#given, used: this.#used, byChance };
  }
}
