/**
 * The memory as tools, prompts and resources of an assistant: an MCP server over stdio, in both generations of the protocol.
 * Promises: stdout carries only the protocol; the tools only read, and start the daemon only on request; recorded text is returned as
 * data, bounded, in a fence that it cannot close; a daemon that is stopped or hangs is a tool error that says what to do.
 * Does not search: every answer comes from the daemon. It ends with its stdin.
 */
export { serveMcp } from './serve.ts';
