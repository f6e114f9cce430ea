/**
 * The memory as tools of an assistant: an MCP server over stdio, in both generations of the protocol.
 * Promises: stdout carries the protocol alone; it only reads, but for starting the daemon when asked to; what was recorded is
 * told as data, bounded, in a fence that it cannot close; a daemon that is away, or hangs, is a tool error that says what to do.
 * Does not search by itself: every answer is the daemon's. It ends with its stdin.
 */
export { serveMcp } from './serve.ts';
