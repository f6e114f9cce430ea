/**
 * What an assistant's own settings need so that it uses this memory: writing it, taking it out, telling how it stands.
 * Promises: all at the user's level, never in a repository; what else is in a file stays, byte by byte; taking out gives the
 * file back as it was; what cannot be understood is left alone, in words. Does not run the assistants, nor read what they send.
 */
export type { Assistant, Options, Setup } from './assistant.ts';
export { assistantNames, assistants, findAssistant } from './assistants/all.ts';
export { type Backup, backupsNextTo } from './backups.ts';
export {
  carryOut,
  diffOf,
  type FileReport,
  isEmpty,
  noOptions,
  type Plan,
  planInstall,
  planUninstall,
  preview,
} from './install.ts';
export { notesFor, pluginOf } from './notes.ts';
export { ownPrograms, type Programs } from './programs.ts';
export { type AssistantState, assistantState, assistantStates, type InstallState } from './state.ts';
