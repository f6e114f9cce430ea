/** The tools for assistants: what a client may send, and how much it is told. */

export const mcpLineBytesMax = 1024 * 1024;
export const mcpRequestsMax = 32;
export const mcpAnswerMs = 10_000;
export const mcpLingerMs = 1_500;
export const mcpListFreshMs = 60 * 60_000;
export const mcpHitsMax = 50;
export const mcpIdsMax = 20;
export const mcpWindowMax = 20;
export const mcpIndexCharsMax = 160;
export const mcpPayloadCharsMax = 16_000;
export const mcpEdgesCharsMax = 8_000;
export const mcpTermsMax = 24;
export const mcpWordsCharsMax = 2_000;
export const mcpAnswerCharsMax = 24_000;
export const mcpGetCharsMax = 40_000;
export const mcpLogCharsMax = 300;
