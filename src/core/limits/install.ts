/** Writing into the assistants' own settings, and looking at them. */

// Claude Code keeps the history of all projects in the file that holds its servers.
export const configBytesMax = 64 * 1024 * 1024;
export const configNestingMax = 200;
export const configBackupsMax = 5;
// How long a look waits for `node --version`.
export const nodeAnswersMs = 5_000;

// What an assistant waits for a hook of ours: beyond each hook's own budget, so that the hook's own words end it.
export const captureHookTimeoutMs = 5_000;
export const boundaryHookTimeoutMs = 5_000;
export const recallHookTimeoutMs = 5_000;
export const guardHookTimeoutMs = 5_000;
// Codex waits no longer at the end of a session, and complains of a hook that asks for more.
export const pauseHookTimeoutMs = 3_000;
export const sessionStartHookTimeoutMs = 20_000;
