/**
 * The read-only HTTP bridge between the memory and a browser of the same user, on 127.0.0.1 only.
 * Promises: a client without the token gets no data; another site's page gets none, with or without it; no request writes, opens a file
 * by name, or delays a capture. SQLite runs in a thread of its own, on a connection that cannot write.
 */
export { type Bridge, openBridge } from './bridge.ts';
export { savedPage } from './saved-page.ts';
export { isToken } from './token.ts';
