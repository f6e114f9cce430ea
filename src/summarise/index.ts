/**
 * Raw events -> summaries: three backends, the choice between them, and the drain that runs them.
 * Promises: an outage never counts against a row; a bad row never fails its batch; what a tool printed is data
 * in a prompt, never an instruction; a paid model is never a silent stand-in. Does not embed.
 */
export type { Backend } from './backend.ts';
export { type Breaker, breaker, withBreaker } from './breaker.ts';
export {
  builtinBackend,
  type Call,
  changesIn,
  type Family,
  type FileChange,
  familyOf,
  readCall,
  type Subject,
  subjectKey,
  subjectsOf,
} from './builtin/index.ts';
export { type Backends, type Choice, type ChoiceSettings, chooseBackend, chooseBetter } from './choose.ts';
export { type DrainOptions, type DrainResult, drain } from './drain.ts';
export { hostedBackend } from './hosted.ts';
export { localBackend } from './local.ts';
export { parsePayload } from './payload-schema.ts';
export { costMicroUsd } from './prices.ts';
export { type RefineOptions, refine } from './refine.ts';
export { repairOf } from './repair.ts';
