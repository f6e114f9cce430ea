/** The start and the end of a session: how long the hooks may take, when they stop trying, how much a session is told. */

// The hook. Ending a daemon that hangs and starting another takes 8 s; the client waits 5 s longer than the hook (plugin/hooks/hooks.json).
export const sessionStartBudgetMs = 15_000;
export const sessionStartInputMs = 250;
export const outlineWaitMs = 800;
export const sessionStartLineCharsMax = 600;
export const sessionStartFailuresMax = 3;
export const sessionStartFailuresWindowMs = 10 * 60_000;
export const sessionStartBackoffMs = 10 * 60_000;
export const restartClaimMs = 20_000;

// The hook at a session's end or compaction; at the end all hooks of a plugin share 1.5 s (CLIENTS.md, section 1).
export const sessionPauseBudgetMs = 250;

// The outline. Clients cut a hook's texts at 10,000 characters.
export const outlineBytesPerToken = 4;
export const outlineCharsMax = 9_500;
export const outlinePinnedMax = 12;
export const outlineFailuresMax = 5;
export const outlineRecentMax = 500;
export const outlineFailuresReadMax = 20;
export const outlineLineCharsMax = 180;
export const outlineDigestCharsMax = 320;
