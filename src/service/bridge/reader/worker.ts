import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Failure, messageOf } from '../../../core/platform/index.ts';
import { isCorruption, openStoreReadOnly, type Store } from '../../../memory/store/index.ts';
import type { FromReader, ToReader } from './messages.ts';
import { Reads } from './reads.ts';

/** The reader's thread: a connection that cannot write, one read after the other. */
function main(port: MessagePort, database: string): void {
  let store: Store | null = null;
  let reads: Reads | null = null;
  port.on('message', (message: ToReader) => {
    if ('close' in message) {
      store?.close();
      post(port, { closed: true });
      port.close();
      return;
    }
    const { id, request } = message;
    try {
      store ??= openReadOnly(database);
      reads ??= new Reads(store);
      const answer = reads.read(request);
      const body = answer === null ? null : Uint8Array.from(Buffer.from(JSON.stringify(answer)));
      port.postMessage({ id, body } satisfies FromReader, body === null ? [] : [body.buffer]);
    } catch (error) {
      post(port, { id, error: serializeError(error, database) });
    }
  });
}

/** Read-only by the way it is opened, and by SQLite's own word should that ever change. */
function openReadOnly(database: string): Store {
  const store = openStoreReadOnly(database);
  if (store === null) throw new Failure('unavailable', `there is no database at ${database} yet`);
  store.connection.exec('PRAGMA query_only = ON');
  return store;
}

function serializeError(error: unknown, database: string): { code: string | null; message: string } {
  if (isCorruption(error)) {
    const message = `${database} is damaged (${messageOf(error)}); run: memd restart, which sets it aside and salvages what can be read`;
    return { code: 'unavailable', message };
  }
  return { code: error instanceof Failure ? error.code : null, message: messageOf(error) };
}

function post(port: MessagePort, message: FromReader): void {
  port.postMessage(message);
}

if (parentPort !== null && typeof workerData === 'string') main(parentPort, workerData);
