import { emptyWal, type Store } from '../store/index.ts';
import { type Forgotten, forgetEverywhere } from './forget.ts';
import { type ImportStep, importPart, type Part } from './import.ts';
import { type Pruned, prune } from './prune.ts';
import { removeOldRestoreFiles } from './restore-files.ts';

/**
 * What takes memories out of a workspace and brings them back, one thing after the other: none of them ever finds a
 * file that another one has half written. For the one process that has the workspace's lock.
 */
export class Archive {
  readonly #store: Store;
  readonly #folder: string;
  #queue: Promise<unknown> = Promise.resolve();

  /** `folder`: the workspace's own, which holds the database and everything else. */
  constructor(store: Store, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Removes the restore files that are too old to be kept, and what an interrupted removal has left. Answers how many. */
  tidy(): number {
    emptyWal(this.#store.connection);
    return removeOldRestoreFiles(this.#folder, Date.now());
  }

  prune(): Promise<Pruned> {
    return this.#inTurn(() => prune(this.#store, this.#folder, Date.now()));
  }

  /** Null when there is no such memory. */
  forget(summaryId: number): Promise<Forgotten | null> {
    return this.#inTurn(() => forgetEverywhere(this.#store, this.#folder, summaryId));
  }

  /** @throws Failure `no_file`, `not_an_export`, `newer_format`, `changed_file` */
  importPart(step: ImportStep): Promise<Part> {
    return this.#inTurn(() => importPart(this.#store, step));
  }

  /** Settles when nothing of this is under way. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {
      // Told to whoever asked for that turn; the next one starts afresh.
    });
    return turn;
  }
}
