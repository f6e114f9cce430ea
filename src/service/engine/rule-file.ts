import fs from 'node:fs';
import path from 'node:path';
import { ruleFileName } from '../../core/limits.ts';
import { messageOf, writeWhole } from '../../core/platform/index.ts';
import type { Report } from '../../memory/consolidate/index.ts';
import { RecallReads, type Store } from '../../memory/store/index.ts';

/** What the user's rules are said at, in a file for the hook before a call: without rules there is no file, and the hook asks nobody. */
export class RuleFile {
  readonly #reads: RecallReads;
  readonly #file: string;
  readonly #report: Report;
  #kept: string | null = null;
  /** Up to which memory was looked for rules. */
  #newest = 0;

  constructor(store: Pick<Store, 'connection'>, folder: string, report: Report) {
    this.#report = report;
    this.#reads = new RecallReads(store);
    this.#file = path.join(folder, ruleFileName);
  }

  /** Memories may have come; a rule is one of them. Not at the start, where a damaged database is still to be found. */
  grew(): void {
    this.#trying(() => {
      const newest = this.#reads.newest();
      if (newest > this.#newest && this.#reads.rules(this.#newest).length > 0) this.#write();
      this.#newest = newest;
    });
  }

  /** The rules may have changed. */
  changed(): void {
    this.#trying(() => this.#write());
  }

  #write(): void {
    const rules = this.#reads.rules().map(({ id, on, form }) => ({ id, on, form }));
    const text = rules.length === 0 ? '' : JSON.stringify(rules);
    if (text === this.#kept) return;
    if (text === '') fs.rmSync(this.#file, { force: true });
    else writeWhole(this.#file, text);
    this.#kept = text;
  }

  #trying(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#report('the rules could not be written', { error: messageOf(error) });
    }
  }
}
