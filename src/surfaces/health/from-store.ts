import { Failure } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import { isCorruption, openStoreReadOnly, type Store } from '../../memory/store/index.ts';

/**
 * What `read` tells of the database; null where there is none that can be read: what is wrong with it is told once, by
 * the check that looks at the file.
 */
export function fromStore<T>({ database }: Pick<Workspace, 'database'>, read: (store: Store) => T): T | null {
  let store: Store | null = null;
  try {
    store = openStoreReadOnly(database);
    return store === null ? null : read(store);
  } catch (error) {
    if (error instanceof Failure || isCorruption(error)) return null;
    throw error;
  } finally {
    store?.close();
  }
}
