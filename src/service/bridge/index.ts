/**
 * The read-only HTTP bridge between the memory and a browser of the same user, on 127.0.0.1 alone.
 * Promises: whoever brings no token learns nothing; a foreign site cannot ask, with or without it; no request writes, reaches
 * a file by name, or holds up a capture. What needs SQLite is done in a thread of its own, on a connection that cannot write.
 */
export { type Bridge, openBridge } from './bridge.ts';
export { isToken } from './token.ts';
