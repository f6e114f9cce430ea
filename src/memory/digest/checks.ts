import { coversOf, provenBy } from '../../calls/checks/index.ts';
import { digestNamesMax } from '../../core/limits.ts';

/** A check or a single test over a session. */
export interface CheckRecord {
  readonly name: string;
  /** The check in which it last failed; for a single test the check around it. */
  run: string;
  runs: number;
  failures: number;
  passedLast: boolean;
  /** The number of its last failed run among all runs of checks. */
  failedAt: number;
  passedAt: number;
  /** The complaint of its last failure. */
  said: string;
}

/** The checks of a session: how often each ran and failed, and how it ended. */
export class CheckBook {
  readonly #records = new Map<string, CheckRecord>();
  /** The number of the last run that passed, by check. */
  readonly #passedAt = new Map<string, number>();
  /** The last check: the tests named next ran in it. */
  #run = '';
  #clock = 0;

  ended(name: string, passed: boolean, said: () => string): void {
    this.#clock += 1;
    const record = this.#records.get(name) ?? this.#open(name);
    if (record === null) return;
    if (!name.startsWith(test)) this.#run = name;
    record.runs += 1;
    record.passedLast = passed;
    if (passed) {
      record.passedAt = this.#clock;
      this.#passed(name);
    } else {
      record.failures += 1;
      record.failedAt = this.#clock;
      record.said = said();
      record.run = this.#run;
    }
  }

  /** Checks that failed at some time, the open ones first, without single tests. */
  failed(): readonly (CheckRecord & { readonly fixed: boolean })[] {
    return this.#whole()
      .filter(({ failures }) => failures > 0)
      .map((record) => ({ ...record, fixed: this.#isFixed(record) }))
      .sort((one, other) => Number(one.fixed) - Number(other.fixed) || other.failedAt - one.failedAt);
  }

  /** The names of all checks and tests; that of a test begins with `test:`. */
  names(): readonly string[] {
    return [...this.#records.keys()];
  }

  /** The check that ran last, and how it ended. */
  last(): CheckRecord | null {
    const latest = (record: CheckRecord): number => Math.max(record.failedAt, record.passedAt);
    return this.#whole().reduce<CheckRecord | null>(
      (best, record) => (best === null || latest(record) >= latest(best) ? record : best),
      null,
    );
  }

  /** The tests that failed last, unless their check has passed since. */
  failingTests(): readonly string[] {
    return [...this.#records.values()]
      .filter(({ name, passedLast }) => name.startsWith(test) && !passedLast)
      .filter(({ run, failedAt }) => !this.#isFixed({ name: run, failedAt }))
      .map(({ name }) => name.slice(test.length));
  }

  #passed(name: string): void {
    if (name.startsWith(test)) return;
    for (const proven of provenBy(name)) this.#passedAt.set(proven, this.#clock);
  }

  #open(name: string): CheckRecord | null {
    if (this.#records.size >= digestNamesMax) return null;
    const record = {
      name,
      run: '',
      runs: 0,
      failures: 0,
      passedLast: false,
      failedAt: 0,
      passedAt: 0,
      said: '',
    };
    this.#records.set(name, record);
    return record;
  }

  #whole(): CheckRecord[] {
    return [...this.#records.values()].filter(({ name }) => !name.startsWith(test));
  }

  /** Each check of the failed run has passed since: alone, in a larger run, or in a run of all. */
  #isFixed({ name, failedAt }: Pick<CheckRecord, 'name' | 'failedAt'>): boolean {
    return coversOf(name).every((names) => names.some((one) => (this.#passedAt.get(one) ?? 0) > failedAt));
  }
}

const test = 'test:';
