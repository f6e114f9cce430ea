import { Failure, messageOf } from '../../core/platform/index.ts';
import { damageFailure, isCorruption, type Store } from '../../memory/store/index.ts';

/**
 * Works on the database in this process, and closes it. Damage that is met is marked, so that the next start mends it whatever a
 * check says. @throws Failure `damaged_database`
 */
export async function onStore<S extends Store | null, T>(
  store: S,
  work: (store: S) => T | Promise<T>,
): Promise<T> {
  try {
    return await work(store);
  } catch (error) {
    if (store === null || error instanceof Failure || !isCorruption(error)) throw error;
    const what = messageOf(error);
    try {
      store.damaged(what);
    } catch {
      // A folder that cannot be written: what is told says what to do all the same.
    }
    throw damageFailure(what);
  } finally {
    store?.close();
  }
}
