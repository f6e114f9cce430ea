/**
 * Removes memd from a user's account: from every assistant, with every daemon and every file below `~/.memd`.
 * It removes only files that memd made, by name, kind and owner; it follows no link and stops only proven daemons of memd.
 * It deletes memories only on request, and does not remove the program.
 */
export type { MemoryAmount } from './memory.ts';
export type { Data } from './remove.ts';
export { memoryOf, type UninstallReport, uninstall } from './uninstall.ts';
