import { Failure } from '#core/platform';
import type { Workspace } from '#core/workspace';
import { isCorruption, openStore, readDatabase, type Store } from '#memory/store';

/** The result of `read`; null if the database is missing or cannot be read, which the check `database` reports. */
export function readStore<T>({ database }: Pick<Workspace, 'database'>, read: (store: Store) => T): T | null {
  try {
    return readDatabase(database, read);
  } catch (error) {
    if (error instanceof Failure || isCorruption(error)) return null;
    throw error;
  }
}

export async function inStore(file: string, work: (store: Store) => unknown): Promise<void> {
  const store = openStore(file);
  try {
    await work(store);
  } finally {
    store.close();
  }
}
