import fs from 'node:fs';
import path from 'node:path';
import { ruleFileName } from '#core/limits';
import { messageOf, writeWhole } from '#core/platform';
import type { Report } from '#memory/consolidate';
import { RecallReads, type Store } from '#memory/store';

/** What the user's rules are said at, in a file for the hook before a call: without rules there is no file, and the hook asks nobody. */
export function ruleFile(store: Pick<Store, 'connection'>, folder: string, report: Report) {
  const reads = new RecallReads(store);
  const file = path.join(folder, ruleFileName);
  let kept: string | null = null;
  // Up to which memory was looked for rules.
  let looked = 0;
  const write = (): void => {
    const rules = reads.rules().map(({ id, on, form }) => ({ id, on, form }));
    const text = rules.length === 0 ? '' : JSON.stringify(rules);
    if (text === kept) return;
    if (text === '') fs.rmSync(file, { force: true });
    else writeWhole(file, text);
    kept = text;
  };
  const trying = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      report('the rules could not be written', { error: messageOf(error) });
    }
  };
  return {
    /** Memories may have come; a rule is one of them. Not at the start, where a damaged database is still to be found. */
    grew: () =>
      trying(() => {
        const newest = reads.newest();
        if (newest > looked && reads.rules(looked).length > 0) write();
        looked = newest;
      }),
    /** The rules may have changed. */
    changed: () => trying(write),
  };
}
