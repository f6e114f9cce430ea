/**
 * Finds what a tool call would write before it runs, and words the answer for its client.
 * It promises: the pre-call hooks of eight assistants, every tool of theirs that writes, and shell commands as
 * docs/boundary.md lists them; it never throws on any payload. It runs nothing, and reads the disk only to match patterns;
 * `boundary` decides.
 */
export { type Answer, denial, formOf, plannedCall, warning } from './call.ts';
export { callWrites } from './tools.ts';
