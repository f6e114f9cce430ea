import { workerData } from 'node:worker_threads';
import { Failure, messageOf } from '#core/platform';
import { serveThread } from '#core/thread';
import { isCorruption, openStoreReadOnly, type Store } from '#memory/store';
import { readerOps } from './reads.ts';

const database = String(workerData);

/** The reader's thread: a connection that cannot write, opened by the first read. */
serveThread({ open: () => readerOps(openReadOnly()), explain });

/** The connection is read-only; the pragma also stops a write if that ever changes. */
function openReadOnly(): Store {
  const store = openStoreReadOnly(database);
  if (store === null) throw new Failure('unavailable', `there is no database at ${database} yet`);
  store.connection.exec('PRAGMA query_only = ON');
  return store;
}

function explain(thrown: unknown): unknown {
  if (!isCorruption(thrown)) return thrown;
  return new Failure('unavailable', `the database ${database} is damaged (${messageOf(thrown)})`, {
    repair: 'run `memd restart`, which sets it aside and salvages what can be read',
  });
}
