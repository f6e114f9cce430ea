import { emptyWal, type Store } from '#memory/store';
import { type Forgotten, forgetEverywhere } from './forget.ts';
import { type ImportStep, importPart, type Part } from './import.ts';
import { type Pruned, prune } from './prune.ts';
import { removeOldRestoreFiles } from './restore-files.ts';

/**
 * Prune, forget and import, one after the other, so that none of them reads a file that another one is writing. For the
 * process that holds the workspace's lock.
 */
export class Archive {
  readonly #store: Store;
  readonly #folder: string;
  #queue: Promise<unknown> = Promise.resolve();

  /** `folder`: the workspace's folder, which holds the database. */
  constructor(store: Store, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Removes expired restore files, and former pages that an interrupted removal has left. Returns the number of files. */
  tidy(): number {
    emptyWal(this.#store.connection);
    return removeOldRestoreFiles(this.#folder, Date.now());
  }

  prune(): Promise<Pruned> {
    return this.inTurn(() => prune(this.#store, this.#folder, Date.now()));
  }

  /** Null if the memory does not exist. */
  forget(summaryId: number): Promise<Forgotten | null> {
    return this.inTurn(() => forgetEverywhere(this.#store, this.#folder, summaryId));
  }

  /** @throws Failure `no_file`, `not_an_export`, `newer_format`, `changed_file` */
  importPart(step: ImportStep): Promise<Part> {
    return this.inTurn(() => importPart(this.#store, step));
  }

  /** Settles when no work is running. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  /** After all earlier work on the archives, and before all later. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {
      // The caller of that turn gets the error; the next one starts anyway.
    });
    return turn;
  }
}
