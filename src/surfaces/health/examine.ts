import { Failure, lstatIfThere, messageOf, takeLock } from '#core/platform';
import { isLocked, stopDaemon } from '#service/lifecycle';
import { type Check, checkFailed, type Finding, type Fixed, isExpected, type Subject } from './check.ts';
import { daemonInfo } from './daemon-state.ts';
import { modes } from './modes.ts';

// A repair can reveal what it hid: so often the checks run again.
const roundsMax = 3;

export interface ExamineOptions {
  readonly checks: readonly Check[];
  readonly fix: boolean;
  /** Starts the daemon again after a repair that needed it stopped. */
  readonly start: () => Promise<unknown>;
  readonly note: (text: string) => void;
}

export interface Examined {
  readonly findings: readonly Finding[];
  readonly fixed: readonly Fixed[];
}

/**
 * Runs all checks; with `fix`, repairs what they find and runs them again.
 * @throws Failure if the daemon cannot be stopped for a repair, or started again after it
 */
export async function examine(subject: Subject, options: ExamineOptions): Promise<Examined> {
  const { checks } = options;
  let findings = await runAll(subject, checks);
  const fixed: Fixed[] = [];
  const tried = new Set<string>();
  for (let round = 0; options.fix && round < roundsMax; round += 1) {
    const before = findings;
    const due = checks.filter(({ code }) =>
      before.some((one) => one.code === code && one.isFixable && !tried.has(nameOf(one))),
    );
    // A link or a folder of another user may lead anywhere: write nothing through it.
    const isUnsafe = before.some((one) => one.code === modes.code && !one.isFixable);
    if (due.length === 0 || isUnsafe) break;
    for (const one of before) tried.add(nameOf(one));
    await fixAll(subject, due, before, options);
    findings = await runAll(subject, checks);
    const left = new Set(findings.map(nameOf));
    for (const one of before.filter((finding) => finding.isFixable && !left.has(nameOf(finding))))
      fixed.push({ ...one, did: due.find(({ code }) => code === one.code)?.fix?.done ?? '' });
  }
  return { findings, fixed };
}

async function runAll(subject: Subject, checks: readonly Check[]): Promise<Finding[]> {
  let info: ReturnType<typeof daemonInfo> | null = null;
  const context = {
    ...subject,
    info: () => {
      info ??= daemonInfo(subject.workspace.socket);
      return info;
    },
  };
  const findings: Finding[] = [];
  for (const check of checks) {
    const { code, severity, sentence, repair, fix } = check;
    // One failed check must not hide what the others find.
    const problems = await check.run(context).catch((error: unknown) => [checkFailed(error)]);
    const own = { code, severity, sentence, repair };
    for (const { isFixable = true, ...problem } of problems)
      findings.push({ ...own, ...problem, isFixable: fix !== undefined && isFixable });
  }
  subject.progress('');
  return findings;
}

/** Access rights first, so that no daemon starts in an open folder; then all that needs the daemon stopped; then the rest. */
async function fixAll(
  subject: Subject,
  due: readonly Check[],
  findings: readonly Finding[],
  options: ExamineOptions,
): Promise<void> {
  const stopped = due.filter(({ fix }) => fix?.needsStop === true);
  const running = due.filter(({ fix }) => fix?.needsStop === false);
  const fix = async (some: readonly Check[]): Promise<void> => {
    for (const check of some) await fixOne(check, subject, options);
  };
  await fix(running.filter(({ code }) => code === modes.code));
  if (stopped.length > 0 && mayStop(subject, findings, options))
    await whileStopped(subject, options, () => fix(stopped));
  await fix(running.filter(({ code }) => code !== modes.code));
}

/** A repair that fails is reported, and its finding remains; the other repairs run. */
async function fixOne({ fix }: Check, subject: Subject, { note }: ExamineOptions): Promise<void> {
  try {
    await fix?.run(subject);
  } catch (error) {
    if (!isExpected(error)) throw error;
    subject.progress('');
    note(messageOf(error));
  }
}

/** A running daemon that could not start again is left running. */
function mayStop(
  { workspace }: Subject,
  findings: readonly Finding[],
  { checks, note }: ExamineOptions,
): boolean {
  const obstacle = findings.find(
    ({ code, severity, isFixable }) =>
      severity === 'error' && !isFixable && checks.some((one) => one.code === code && one.blocksStart),
  );
  if (obstacle === undefined || !isLocked(workspace)) return true;
  note(`the daemon was not stopped for repairs: it could not start again (see ${obstacle.code})`);
  return false;
}

/** Holds the workspace's lock, so that no daemon starts meanwhile. Starts the daemon again if it ran before. */
async function whileStopped(
  { workspace }: Subject,
  { note, start }: ExamineOptions,
  work: () => Promise<void>,
): Promise<void> {
  const { outcome, pid } = await stopDaemon(workspace);
  if (outcome !== 'not-running') note(`the daemon (pid ${pid}) was stopped for the repair`);
  try {
    const lock = lstatIfThere(workspace.folder) === null ? null : takeLock(workspace.lock);
    if (lock === null)
      throw new Failure('busy', `another process holds ${workspace.lock}`, {
        safe: 'nothing was changed',
        repair: 'run `memd doctor --fix`',
      });
    await work().finally(() => lock.release());
  } finally {
    if (outcome !== 'not-running') {
      await start();
      note('the daemon was started again');
    }
  }
}

function nameOf({ code, detail }: Finding): string {
  return `${code} ${detail}`;
}
