// When memory would speak unasked within a session: candidate rules, each over the events of a memory in the order of time.
// Every rule yields {record, from, line}: the moment, the memory that it would name, and the line it would say.

const fixCallsMax = 40;
const fixWithinMs = 3_600_000;
const minuteMs = 60_000;

/** A command line without its folder, redirections and filters of its output. */
export function spoken(command) {
  return command
    .replace(/^\s*cd\s+\S+\s*(?:&&|;)\s*/, '')
    .replace(/\s*\d?>&\d|\s*\|\s*(?:tail|head|cat|tee)\b[^|;&]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const withoutTarget = (programs) => programs.map((program) => program.replace(/ @.*$/, ''));
const share = (some, others) =>
  some.length === 0 ? 0 : some.filter((one) => others.includes(one)).length / some.length;

export function isAlike(one, other) {
  const [first] = one.complaints;
  const [before] = other.complaints;
  return (
    first !== undefined &&
    before !== undefined &&
    first.trouble === before.trouble &&
    first.kind === before.kind &&
    first.file === before.file
  );
}

/** A command that failed at its work and says how. */
export function isTrouble(record) {
  const { failed, refused, cancelled, stopped, exitCode, complaints, looks } = record;
  if (record.what !== 'command' || !failed || refused || cancelled || stopped) return false;
  if (complaints.length === 0 || [130, 137, 143].includes(exitCode)) return false;
  return !looks || complaints[0].trouble === 'setup';
}

/** The first run of the same command that passed after the failure at `at`, and what was done until then. */
export function fixOf(records, at, before) {
  const failure = records[at];
  const until = Date.parse(failure.ts) + fixWithinMs;
  let acts = [];
  let calls = 0;
  for (let next = at + 1; next < records.length && records[next].ts < before; next += 1) {
    const record = records[next];
    if (record.own !== failure.own || !['command', 'edit', 'call'].includes(record.what)) continue;
    calls += 1;
    if (calls > fixCallsMax || Date.parse(record.ts) > until) return null;
    if (record.refused || record.cancelled) continue;
    if (record.what === 'edit' && !record.failed) acts.push(record);
    if (record.what !== 'command') continue;
    if (share(withoutTarget(failure.programs), withoutTarget(record.programs)) < 0.5) {
      if (!record.failed && !record.looks && record.programs.length > 0) acts.push(record);
      continue;
    }
    if (isAlike(record, failure)) {
      acts = [];
      continue;
    }
    const isSetup = failure.complaints[0].trouble === 'setup';
    const hasBegun = isSetup && record.complaints[0]?.trouble !== 'setup' && record.output !== '';
    if ((record.failed || record.badCheck) && !hasBegun) continue;
    return { passed: record, acts, isOther: spoken(record.command) !== spoken(failure.command) };
  }
  return null;
}

/** Words of the complaint that the command line names: an option, a subcommand, a path. */
export function targetsOf({ complaints, command }) {
  const line = new Set(wordsOf(command));
  return [...new Set(wordsOf(complaints[0].shown))].filter((word) => line.has(word) && !common.has(word));
}

function wordsOf(text) {
  return (text.match(/[\w@./:+-]{3,}/g) ?? [])
    .map((word) => word.replace(/^[./]+|[.:,]+$/g, ''))
    .filter((word) => word.length > 2);
}

const common = new Set(
  'error command not found the such file directory for and exit code unknown option script line usage with that this cannot'.split(
    ' ',
  ),
);

/** Rule: the same command line, or the same program with the same failing target, failed in an earlier session. */
export function* commandAgain(records) {
  const failures = [];
  for (const [at, record] of records.entries()) {
    if (record.what !== 'command') continue;
    const line = spoken(record.command);
    const words = new Set(wordsOf(record.command));
    const first = withoutTarget(record.programs).slice(0, 1);
    const isSame = (other) => spoken(other.command) === line;
    for (let last = failures.length - 1; last >= 0; last -= 1) {
      const { failure, position, said, targets } = failures[last];
      if (failure.session === record.session) continue;
      if (Date.parse(record.ts) - Date.parse(failure.ts) < minuteMs) continue;
      const names = (other) =>
        targets.length > 0 &&
        failure.complaints[0].trouble === 'setup' &&
        share(withoutTarget(failure.programs).slice(0, 1), withoutTarget(other.programs)) === 1 &&
        targets.every((word) => wordsOf(other.command).includes(word));
      const isLine = said === line;
      if (!isLine && !(first.length > 0 && targets.every((word) => words.has(word)) && names(record)))
        continue;
      const later = records
        .slice(position + 1, at)
        .find((one) => one.what === 'command' && !one.failed && (isLine ? isSame(one) : names(one)));
      const fix = fixOf(records, position, record.ts);
      yield { record, at, from: failure, fix, isLine, targets, later };
      break;
    }
    if (isTrouble(record))
      failures.push({ failure: record, position: at, said: line, targets: targetsOf(record) });
  }
}

/**
 * The gate that was read for this rule: the same command line, which could not begin or was refused by its program, has not
 * passed since, and another command line worked then.
 */
export function isTold({ record, from, fix, isLine, later }) {
  const [{ trouble, file }] = from.complaints;
  const isOfCommand = trouble === 'setup' || (trouble === 'error' && file === null);
  const isOther = fix?.isOther && fix.acts.every(({ what }) => what !== 'edit');
  return isLine && later === undefined && !record.looks && isOfCommand && isOther;
}
