/**
 * Raw events -> summaries: three backends, the choice between them, and the drain that runs them.
 * Promises: an outage never counts against a row; a bad row never fails its batch; the output of a tool is data in a prompt, never
 * an instruction; a paid model never replaces another one silently. Does not embed.
 */
export { type Breaker, breaker, chatWithBreaker } from './breaker.ts';
export { builtinBackend } from './builtin/index.ts';
export type { Chat, Prompt } from './chat.ts';
export { type Backends, type Choice, type ChoiceSettings, chooseBackend, chooseBetter } from './choose.ts';
export { type BatchRun, type DrainOptions, type DrainResult, drain } from './drain.ts';
export { estimateTokens, fenced } from './fence.ts';
export { hostedBackend } from './hosted.ts';
export { type Budget, hostedChat } from './hosted-chat.ts';
export { localBackend } from './local.ts';
export { localChat } from './local-chat.ts';
export { plain } from './plain.ts';
export { costMicroUsd } from './prices.ts';
export { listSchema, recordedPrompt } from './recorded-prompt.ts';
export { refine } from './refine.ts';
export { repairOf } from './repair.ts';
export { resummarise } from './resummarise.ts';
export { entriesIn, idOf } from './said.ts';
