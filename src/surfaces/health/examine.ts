import { Failure, lstatIfThere, messageOf, takeLock } from '../../core/platform/index.ts';
import { isLocked, stopDaemon } from '../../service/lifecycle/index.ts';
import type { Check, Finding, Fixed, Found, Looked, Subject } from './check.ts';
import { modes } from './modes.ts';
import { lookedAt } from './running.ts';
import { isExpected, unchecked } from './unchecked.ts';

// A repair can bring up what it hid: so often it is looked again, and mended.
const doctorRoundsMax = 3;

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
  readonly mended: readonly Fixed[];
}

/**
 * Looks at everything; with `fix`, mends and looks again: a repair may bring up what was hidden, which has its turn then.
 * @throws Failure when the daemon cannot be stopped for a repair, or started again after it
 */
export async function examine(subject: Subject, options: ExamineOptions): Promise<Examined> {
  let findings = await lookAll(subject, options.checks);
  const mended: Fixed[] = [];
  const tried = new Set<string>();
  for (let round = 0; options.fix && round < doctorRoundsMax; round += 1) {
    const found = findings;
    const due = options.checks.filter((check) => isDue(check, found, tried));
    // A link, or another user's folder, may lead anywhere: nothing is written through it.
    const isUnsafe = found.some((one) => one.code === modes.code && !one.isFixable);
    if (due.length === 0 || isUnsafe) break;
    for (const one of found) tried.add(nameOf(one));
    await fixAll(subject, due, found, options);
    findings = await lookAll(subject, options.checks);
    mended.push(...fixedOf(found, findings, due));
  }
  return { findings, mended };
}

/**
 * In the order of the checks, but for those that need a daemon's rest: they are done together. What comes before the first of
 * them (who may read the folders) is done before it: no daemon starts in folders that are open to others.
 */
async function fixAll(
  subject: Subject,
  due: readonly Check[],
  found: readonly Finding[],
  options: ExamineOptions,
): Promise<void> {
  const quiet = due.filter(({ fix }) => fix?.needsStop === true);
  const [first] = quiet;
  const at = first === undefined ? due.length : due.indexOf(first);
  const fix = async (checks: readonly Check[]): Promise<void> => {
    for (const check of checks) if (check.fix?.needsStop === false) await fixOne(check, subject, options);
  };
  await fix(due.slice(0, at));
  if (first !== undefined && mayStop(subject, found, options)) await whileStopped(subject, quiet, options);
  await fix(due.slice(at));
}

/** One that cannot be done is told, and what it was to mend is found again; the others are done. */
async function fixOne({ fix }: Check, subject: Subject, { note }: ExamineOptions): Promise<void> {
  try {
    await fix?.run(subject);
  } catch (error) {
    if (!isExpected(error)) throw error;
    subject.progress('');
    note(messageOf(error));
  }
}

/** A daemon that runs with settings, or a database, with which none can start again is left running. */
function mayStop(
  { workspace }: Subject,
  found: readonly Finding[],
  { checks, note }: ExamineOptions,
): boolean {
  const keeping = new Set(checks.filter(({ keepsStart }) => keepsStart).map(({ code }) => code));
  const obstacle = found.find(
    ({ code, severity, isFixable }) => severity === 'error' && !isFixable && keeping.has(code),
  );
  if (obstacle === undefined || !isLocked(workspace)) return true;
  note(`the daemon was not stopped for the repair, since it could not start again (${obstacle.code})`);
  return false;
}

function fixedOf(found: readonly Finding[], left: readonly Finding[], due: readonly Check[]): Fixed[] {
  const names = new Set(left.map(nameOf));
  const does = new Map(due.map(({ code, fix }) => [code, fix?.does ?? '']));
  return found
    .filter((one) => one.isFixable && !names.has(nameOf(one)))
    .map((one) => ({ ...one, did: does.get(one.code) ?? '' }));
}

async function lookAll(subject: Subject, checks: readonly Check[]): Promise<Finding[]> {
  const looked = lookedAt(subject);
  const findings: Finding[] = [];
  for (const check of checks) {
    for (const found of await lookOne(check, looked)) {
      findings.push({
        code: check.code,
        severity: found.severity ?? check.severity,
        sentence: found.sentence ?? check.sentence,
        detail: found.detail,
        repair: found.repair ?? check.repair,
        isFixable: check.fix !== null && (found.isFixable ?? true),
      });
    }
  }
  return findings;
}

/** What one check cannot look at must not hide what the others find. */
async function lookOne(check: Check, looked: Looked): Promise<readonly Found[]> {
  try {
    return await check.look(looked);
  } catch (error) {
    const found = unchecked(error);
    looked.progress('');
    return [found];
  }
}

function isDue(check: Check, found: readonly Finding[], tried: ReadonlySet<string>): boolean {
  return found.some((one) => one.code === check.code && one.isFixable && !tried.has(nameOf(one)));
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
      for (const check of checks) await fixOne(check, subject, options);
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
