/**
 * What a tool call that has not run yet would write, and how its client is told no.
 * Promises: knows the hooks before a call of nine assistants, every tool of theirs that writes, and shell commands as far as
 * docs/boundary.md says; never throws on any payload. Runs nothing, and looks at no file but for names that a
 * pattern finds; `boundary` decides.
 */
export { type Answer, denial, warning } from './answer.ts';
export { formOf, plannedCall } from './call.ts';
export { callWrites } from './tools.ts';
