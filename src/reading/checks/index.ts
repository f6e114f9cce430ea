/**
 * Which steps of a command are checks (tests, types, lint, builds), how each ended, and which tests and errors the
 * output names.
 * A verdict is `passed` or `failed` only where exit status or output show it, otherwise `unknown`, or `started` while it
 * goes on in the background. A command that could not begin is a `setup` complaint or an obstacle, not a failed check. `CheckHistory` is the one model of which failure is still open: digest
 * and outline ask it, and curation shares its verdicts.
 */
export { type Check, checkOf, covers, coversAll, partsOf, seesChange, triesWhole } from './check.ts';
export { type Complaint, complaintsIn } from './complaints.ts';
export { complains, type Findings, findingsIn, mainLines, onlyRepeats, withoutEchoes } from './findings.ts';
export { CheckHistory, type CheckRecord, type Obstacle } from './history.ts';
export { committed, hadNothing, isCommit, lastHookScript } from './hook-runs.ts';
export { missingIn } from './obstacle.ts';
export { placeOf } from './place.ts';
export { countOf } from './printed.ts';
export {
  type CommandRun,
  checked,
  commandRun,
  commandVerdict,
  endsBadly,
  hidesGitFailure,
  isFailure,
  type StepRun,
} from './run.ts';
export { fixes, isElsewhere, sureVerdicts } from './sure.ts';
export { testIn, testsNamed } from './tests-named.ts';
export type { Verdict } from './verdict.ts';
