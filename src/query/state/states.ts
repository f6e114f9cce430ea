import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atMost, messageOf } from '../../core/platform/index.ts';
import { isShrunkPayload, StateReads, type Store, type Stored } from '../../memory/store/index.ts';
import { familyOf, parsePayload, readCall } from '../../reading/call/index.ts';
import { stateOfEdit } from './edit.ts';
import { stateOfRun } from './later.ts';
import type { Whereabouts } from './place.ts';
import { stateOfMessage } from './said.ts';
import { type State, unknown } from './shapes.ts';
import { Worktrees } from './worktrees.ts';

/** Of the 50 ms that an answer may take longer (CONTRACT 13); the rest is for what is synchronous. */
export const stateBudgetMs = 35;
const checkedMax = 50;

/** The states of memories in one workspace. */
export class States {
  readonly #reads: StateReads;
  readonly #parts: Pick<Whereabouts, 'worktrees' | 'alias'>;

  /** `root` is the workspace's folder. Begins to read the history of git. */
  constructor(store: Pick<Store, 'connection'>, root: string) {
    const real = fs.realpathSync(root);
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
    const stop = new AbortController();
    const work = this.#each(ids, asker, states, stop.signal);
    await atMost(work, budgetMs);
    stop.abort();
    return new Map(states);
  }

  /** Whether anything is in the workspace: in an empty folder a file that is not there says nothing about the memory. */
  hasFiles(): boolean {
    try {
      const roots = this.#parts.worktrees.all().map(({ tree }) => tree.root);
      return roots.some((root) => fs.readdirSync(root).some((name) => name !== '.git' && name !== '.memd'));
    } catch {
      // It is not readable, so nothing can be compared.
      return false;
    }
  }

  async #each(
    ids: readonly number[],
    asker: string | null,
    states: Map<number, State>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#parts.worktrees.first().history.refresh();
    const asked = ids.slice(0, checkedMax);
    const stored = this.#reads.stored(asked);
    const known = new Set(stored.map(({ id }) => id));
    for (const id of asked) if (!known.has(id)) states.set(id, unknown('a session is not checked'));
    const waiting: Promise<void>[] = [];
    for (const memory of stored) {
      if (signal.aborted) break;
      const one = this.#one(memory, asker).catch((error: unknown) =>
        unknown(`it cannot be checked: ${messageOf(error)}`),
      );
      waiting.push(one.then((state) => void states.set(memory.id, state)));
      await nextTurn();
    }
    await Promise.all(waiting);
  }

  async #one(memory: Stored, asker: string | null): Promise<State> {
    if (memory.payloadJson === '') return unknown('the recorded call is too large to check');
    const parsed = parsePayload(memory.payloadJson);
    if (!('payload' in parsed)) return unknown('the recorded call cannot be read');
    const { payload } = parsed;
    if (memory.kind === 'message') {
      const said = typeof payload.output === 'string' ? payload.output : '';
      return stateOfMessage(said, this.#parts.worktrees);
    }
    const call = readCall(payload);
    if (familyOf(call) !== 'edit') return stateOfRun(this.#reads, memory, call);
    if (isShrunkPayload(memory.payloadJson)) return unknown('retention has shortened the recorded edit');
    return stateOfEdit(call, { ...this.#parts, asker });
  }
}

/** The state that was not found within its time. */
export const notInTime = unknown('not checked in time');
