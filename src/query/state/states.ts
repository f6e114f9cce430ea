import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atMost, messageOf, orElse } from '#core/platform';
import { isShrunkPayload, StateReads, type Store, type Stored } from '#memory/store';
import { parsePayload } from '#reading/call';
import { type Comparable, comparableOf, readComparable } from '#reading/comparable';
import { checkOfEdit } from './edit.ts';
import { stateOfRun } from './later.ts';
import type { Whereabouts } from './place.ts';
import { checkOfMessage } from './said.ts';
import { type Check, type State, unknown } from './shapes.ts';
import { Worktrees } from './worktrees.ts';

/** Of the 50 ms that an answer may take longer; the rest is for what is synchronous. */
export const stateBudgetMs = 35;
const checkedMax = 50;
/** So long other requests wait: longer than most answers take. */
const turnMs = 4;
const keptMax = 5_000;
const keptCharsMax = 2 * 1_048_576;

/** What was read of memories in one state of the database: any write may change a recorded call, or add a later run. */
interface Checks {
  readonly version: string;
  /** A state is what it is until the next write. */
  readonly byId: Map<number, State | Check>;
  /** Of the payloads of which checks may hold parts. */
  chars: number;
}

/** The states of memories in one workspace. */
export class States {
  readonly #store: Pick<Store, 'connection'>;
  readonly #reads: StateReads;
  readonly #parts: Pick<Whereabouts, 'worktrees' | 'alias'>;
  #checks: Checks = { version: '', byId: new Map(), chars: 0 };

  /** `root` is the workspace's folder. Begins to read the history of git. */
  constructor(store: Pick<Store, 'connection'>, root: string) {
    const real = fs.realpathSync(root);
    this.#store = store;
    this.#reads = new StateReads(store);
    this.#parts = { worktrees: new Worktrees(real), alias: path.resolve(root) };
    void this.#parts.worktrees.first().history.refresh();
  }

  /**
   * The state of each of `ids`, within the time of the contract: what is not known by then is `unknown`, and goes on to be read for
   * the next request. `asker`: the folder of who asks.
   */
  async of(
    ids: readonly number[],
    budgetMs: number = stateBudgetMs,
    asker: string | null = null,
  ): Promise<ReadonlyMap<number, State>> {
    const states = new Map<number, State>(ids.map((id) => [id, notInTime]));
    if (ids.length === 0) return states;
    const request = { asker, isOver: false };
    await atMost(this.#each(ids, states, request), budgetMs);
    request.isOver = true;
    return new Map(states);
  }

  /** Whether anything is in the workspace: in an empty folder a file that is not there says nothing about the memory. */
  hasFiles(): boolean {
    // It is not readable, so nothing can be compared.
    return orElse(() => {
      const roots = this.#parts.worktrees.all().map(({ tree }) => tree.root);
      return roots.some((root) => fs.readdirSync(root).some((name) => name !== '.git' && name !== '.memd'));
    }, false);
  }

  async #each(
    ids: readonly number[],
    states: Map<number, State>,
    request: { readonly asker: string | null; readonly isOver: boolean },
  ): Promise<void> {
    await this.#parts.worktrees.first().history.refresh();
    const asked = ids.slice(0, checkedMax);
    const checks = this.#current();
    const unread = this.#reads.stored(asked.filter((id) => !checks.byId.has(id)));
    const stored = new Map(unread.map((memory) => [memory.id, memory]));
    const parts = { ...this.#parts, asker: request.asker };
    const one = async (id: number): Promise<void> => {
      try {
        const known = checks.byId.get(id) ?? this.#read(checks, id, stored.get(id));
        states.set(id, typeof known === 'function' ? await known(parts) : known);
      } catch (error) {
        states.set(id, unknown(`it cannot be checked: ${messageOf(error)}`));
      }
    };
    const waiting: Promise<void>[] = [];
    let turnBeganMs = performance.now();
    for (const id of asked) {
      if (request.isOver) break;
      waiting.push(one(id));
      if (performance.now() - turnBeganMs < turnMs) continue;
      await nextTurn();
      turnBeganMs = performance.now();
    }
    await Promise.all(waiting);
  }

  /** Those of before are dropped, not changed: a request that still reads them has read the database as it was. */
  #current(): Checks {
    const version = this.#store.connection.changes();
    const { version: former, byId, chars } = this.#checks;
    if (version !== former || byId.size > keptMax || chars > keptCharsMax)
      this.#checks = { version, byId: new Map(), chars: 0 };
    return this.#checks;
  }

  #read(checks: Checks, id: number, memory: Stored | undefined): State | Check {
    const read = memory === undefined ? unknown('a session is not checked') : this.#checkOf(memory);
    checks.byId.set(id, read);
    if (typeof read === 'function') checks.chars += (memory?.comparable ?? memory?.payloadJson ?? '').length;
    return read;
  }

  #checkOf(memory: Stored): State | Check {
    const comparable = comparableIn(memory);
    if ('verdict' in comparable) return comparable;
    switch (comparable.kind) {
      case 'message':
        return checkOfMessage(comparable);
      case 'run':
        return stateOfRun(this.#reads, memory, comparable.run);
      case 'edit':
        return checkOfEdit(comparable);
      case 'other':
        return unknown('only edits, runs and messages are checked');
    }
  }
}

/** Of a memory, or why it cannot be compared. */
export function comparableIn({ comparable, payloadJson }: Stored): Comparable | State {
  return comparable === null ? parsed(payloadJson) : readComparable(comparable);
}

/** What the curator has not stored yet, or an older version did not store. */
function parsed(payloadJson: string): Comparable | State {
  if (payloadJson === '') return unknown('the recorded call is too large to check');
  const read = parsePayload(payloadJson);
  if (!('payload' in read)) return unknown('the recorded call cannot be read');
  const comparable = comparableOf(read.payload);
  return comparable.kind === 'edit' && isShrunkPayload(payloadJson)
    ? unknown('retention has shortened the recorded edit')
    : comparable;
}

/** The state that was not found within its time. */
export const notInTime = unknown('not checked in time');
