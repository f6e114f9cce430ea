/**
 * Checks (tests, types, lint, builds): which steps of a command are checks, how each ended, which tests and errors its output names.
 * Promises: `passed` and `failed` only where exit status or output show it; otherwise `none`.
 */
export { type Complaint, complaintsIn } from './complaints.ts';
export { complains, type Findings, findingsIn, mainLines } from './findings.ts';
export { type CommandRun, checked, commandRun, type StepRun } from './run.ts';
export { fixes, sureVerdicts } from './sure.ts';
export { testIn, testsNamed } from './tests-named.ts';
export { countOf, type Verdict } from './verdict.ts';
