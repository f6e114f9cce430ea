/**
 * Raw events -> summaries: three backends, the choice between them, and the drain that runs them.
 * Promises: an outage never counts against a row; a bad row never fails its batch; what a tool printed is data
 * in a prompt, never an instruction; a paid model is never a silent stand-in. Does not embed.
 */
export type { Backend } from './backend.ts';
export { withBreaker } from './breaker.ts';
export { builtinBackend } from './builtin/index.ts';
export { type Backends, type Choice, type ChoiceSettings, chooseBackend } from './choose.ts';
export { type DrainOptions, type DrainResult, drain } from './drain.ts';
export { hostedBackend } from './hosted.ts';
export { localBackend } from './local.ts';
