import { readStored } from '../../calls/call/index.ts';
import { subjectKey, subjectsOf } from '../../calls/subjects/index.ts';
import type { OutlineReads, Summary } from '../../memory/store/index.ts';

const outlineFailuresMax = 5;
const outlineRecentMax = 500;
const outlineFailuresReadMax = 20;

/**
 * Recent memories of a check or command that failed in its last run and that nothing supersedes; checks first, then
 * the newest.
 */
export function openFailures(reads: OutlineReads): readonly Summary[] {
  const open = [...stillFailing(reads)].slice(0, outlineFailuresReadMax);
  const kinds = open.map(([id, keys]) => ({ id, kind: failedKind(reads.payloadJson(id), keys) }));
  const ids = ['check', 'command'].flatMap((wanted) =>
    kinds.filter(({ kind }) => kind === wanted).map(({ id }) => id),
  );
  return reads.get(ids.slice(0, outlineFailuresMax));
}

/** By memory, newest first: the subjects that failed in it and have not ended since. */
function stillFailing(reads: OutlineReads): Map<number, Set<number>> {
  const open = new Map<number, Set<number>>();
  /** Subjects seen so far, with the newest memory of each. */
  const ended = new Map<number, number>();
  for (const { summaryId, key, failed, replaced } of reads.verdicts(outlineRecentMax)) {
    const newest = ended.get(key) ?? summaryId;
    ended.set(key, newest);
    if (newest !== summaryId || !failed || replaced) continue;
    open.set(summaryId, (open.get(summaryId) ?? new Set()).add(key));
  }
  return open;
}

/** Whether a check or a command failed. A missing file is not an open failure. */
function failedKind(payloadJson: string | null, keys: ReadonlySet<number>): 'check' | 'command' | null {
  const call = readStored(payloadJson ?? 'null');
  if (call === null) return null;
  const failed = subjectsOf(call).filter(
    (subject) => subject.outcome === 'failed' && keys.has(subjectKey(subject)),
  );
  if (failed.some(({ kind }) => kind === 'check')) return 'check';
  return failed.some(({ kind }) => kind === 'command') ? 'command' : null;
}
