/** Every bound of the page, with its unit last. The service's own bounds are in `src/core/limits.ts`. */

// Lists
export const summariesPage = 50;
export const sessionsPage = 200;
export const standingsPart = 50;
export const hitsMax = 50;

// Text that is shown first; a button shows the rest.
export const shownCharsFirst = 8_000;
export const shownCharsMore = 64_000;
export const previewChars = 400;
export const jsonItemsFirst = 100;
export const jsonPreviewChars = 72;
export const linesFirst = 240;

// Waiting
export const typingPauseMs = 120;
export const followPauseMs = 90;
/** How long after its memories a session's digest is there. */
export const derivedMs = 3_000;
/** A session with an event in the last minutes is still going on. */
export const runningMs = 600_000;
export const pollMs = 5_000;
export const statusMs = 30_000;
/** The first wait after an answer that did not come; each further one is as much longer, to `pollMs`. */
export const retryMs = 500;
export const streamRetryMs = 15_000;
export const streamSilenceMs = 25_000;
export const requestMs = 20_000;
export const clockTickMs = 15_000;

// Captures a minute
export const rateWindowMs = 600_000;
export const rateBinMs = 15_000;
export const samplesMax = 4_096;

// What doctor and monitor speak of, the page does too.
export { alertRawMaxDefault as rawBacklogMax, embeddingLagMax } from '#core/limits';
