import { bestEffort, Failure, messageOf } from '#core/platform';
import { damageFailure, isCorruption, type Store } from '#memory/store';

/** Works on the database in this process and closes it. Marks damage for the next start. @throws Failure `damaged_database` */
export async function onStore<T>(store: Store, work: (store: Store) => T | Promise<T>): Promise<T> {
  try {
    return await work(store);
  } catch (error) {
    if (error instanceof Failure || !isCorruption(error)) throw error;
    const what = messageOf(error);
    // A folder that is not writable: the message has the repair all the same.
    bestEffort(() => store.damaged(what));
    throw damageFailure(what);
  } finally {
    store.close();
  }
}
