/**
 * Taking memd off a user's account: out of every assistant, every daemon of every namespace, every file below `~/.memd`.
 * Promises: removes nothing but what memd has made, by name, kind and owner, and follows no link; signals no process that is not
 * proved to be a daemon of memd's; the memory itself goes only when that was said. Does not remove the program.
 */

export type { Memory } from './memory.ts';
export type { Data } from './remove.ts';
export { memoryOf, previewUninstall, type UninstallPlan, uninstall } from './uninstall.ts';
