/**
 * The socket between the daemon and everything else: frames, limits, order, errors.
 * Promises: a bad or endless frame costs only its sender the connection; replies come in the order of the requests; all clients use the
 * one here. Does not know what the ops do.
 */

export { groupedBySession } from './by-session.ts';
export * from './client.ts';
export { frameOf } from './frame-of.ts';
export { parseRequest } from './parse.ts';
export {
  type Handler,
  type LargeRead,
  type RequestContext,
  type RequestFrame,
  refusal,
} from './protocol.ts';
export * from './replies.ts';
export { closedEarly, parseReply, replyTooLong } from './reply.ts';
export { listen, type RpcServer, serve } from './server.ts';
