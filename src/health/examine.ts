import { stopDaemon } from '../lifecycle/index.ts';
import { Failure, lstatIfThere, takeLock } from '../platform/index.ts';
import type { Check, Finding, Subject } from './check.ts';
import { modes } from './modes.ts';

export interface ExamineOptions {
  readonly checks: readonly Check[];
  /** Mends what can be mended. */
  readonly fix: boolean;
  /** Starts the daemon again that had to be stopped. */
  readonly start: () => Promise<unknown>;
  /** Told of the stop and the start. */
  readonly note: (text: string) => void;
}

export interface Examined {
  /** What is wrong now. */
  readonly findings: readonly Finding[];
  /** What was wrong and is mended. */
  readonly mended: readonly Finding[];
}

/** Looks at everything; with `fix`, mends and looks again. @throws Failure when a repair cannot be done */
export async function examine(subject: Subject, options: ExamineOptions): Promise<Examined> {
  const found = await lookAll(subject, options.checks);
  const due = options.fix ? options.checks.filter((check) => isDue(check, found)) : [];
  // A link, or another user's folder, may lead anywhere: nothing is written through it.
  const isUnsafe = found.some((one) => one.code === modes.code && !one.isMendable);
  if (due.length === 0 || isUnsafe) return { findings: found, mended: [] };
  const direct = due.filter((check) => check.mend?.needsStop === false);
  const quiet = due.filter((check) => check.mend?.needsStop === true);
  for (const check of direct) await check.mend?.run(subject);
  if (quiet.length > 0) await whileStopped(subject, quiet, options);
  const findings = await lookAll(subject, options.checks);
  const left = new Set(findings.map(nameOf));
  return { findings, mended: found.filter((one) => one.isMendable && !left.has(nameOf(one))) };
}

async function lookAll(subject: Subject, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    for (const found of await check.look(subject)) {
      findings.push({
        code: check.code,
        severity: found.severity ?? check.severity,
        sentence: found.sentence ?? check.sentence,
        detail: found.detail,
        repair: found.repair ?? check.repair,
        isMendable: check.mend !== null && (found.isMendable ?? true),
      });
    }
  }
  return findings;
}

function isDue(check: Check, found: readonly Finding[]): boolean {
  return found.some((one) => one.code === check.code && one.isMendable);
}

function nameOf({ code, detail }: Finding): string {
  return `${code} ${detail}`;
}

/** Mends with the workspace's lock in hand, so that no daemon comes up meanwhile; one that ran runs again after it. */
async function whileStopped(
  subject: Subject,
  checks: readonly Check[],
  options: ExamineOptions,
): Promise<void> {
  const { workspace } = subject;
  const { outcome, pid } = await stopDaemon(workspace);
  if (outcome !== 'not-running') options.note(`the daemon (pid ${pid}) was stopped for the repair`);
  try {
    const lock = lstatIfThere(workspace.folder) === null ? null : takeLock(workspace.lock);
    if (lock === null) {
      throw new Failure('busy', `another process holds ${workspace.lock}`, {
        safe: 'nothing was changed',
        repair: 'run it again',
      });
    }
    try {
      for (const check of checks) await check.mend?.run(subject);
    } finally {
      lock.release();
    }
  } finally {
    if (outcome !== 'not-running') {
      await options.start();
      options.note('the daemon runs again');
    }
  }
}
