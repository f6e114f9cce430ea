import { digestNamesMax } from '../../core/limits.ts';

/** How a check, or one test of it, went over a session. */
export interface CheckRecord {
  readonly name: string;
  /** The check it last failed in: of a single test the one around it. */
  run: string;
  runs: number;
  failures: number;
  passedLast: boolean;
  /** The number of the run, among all checks, in which it failed last. */
  failedAt: number;
  passedAt: number;
  /** What was said when it failed last. */
  said: string;
}

/** The checks of a session, each with how often it ran and failed and how it ended. */
export class CheckBook {
  readonly #records = new Map<string, CheckRecord>();
  /** When a check, or all of a program's, passed last. */
  readonly #passedAt = new Map<string, number>();
  /** The check that ended last: the tests that are told next ran in it. */
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

  /** Checks that failed at some time, those that ended badly first; not the single tests in them. */
  failed(): readonly (CheckRecord & { readonly fixed: boolean })[] {
    return this.#whole()
      .filter(({ failures }) => failures > 0)
      .map((record) => ({ ...record, fixed: this.#isMended(record) }))
      .sort((one, other) => Number(one.fixed) - Number(other.fixed) || other.failedAt - one.failedAt);
  }

  /** Every check and single test by its name; a test's begins with `test:`. */
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

  /** The tests that failed last, unless the check that they failed in has passed since. */
  failingTests(): readonly string[] {
    return [...this.#records.values()]
      .filter(({ name, passedLast }) => name.startsWith(test) && !passedLast)
      .filter(({ run, failedAt }) => !this.#isMended({ name: run, failedAt }))
      .map(({ name }) => name.slice(test.length));
  }

  #passed(name: string): void {
    if (name.startsWith(test)) return;
    for (const part of partsOf(name)) {
      this.#passedAt.set(part, this.#clock);
      if (isWhole(part)) this.#passedAt.set(allOf(part), this.#clock);
    }
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

  /** Each check of a run that failed has passed since: by itself, in a run of more, or in a run of all. */
  #isMended({ name, failedAt }: Pick<CheckRecord, 'name' | 'failedAt'>): boolean {
    return partsOf(name).every((part) => {
      const words = part.split(' ');
      const runs = words.map((_, at) => words.slice(0, at + 1).join(' '));
      return [...runs, allOf(part)].some((run) => (this.#passedAt.get(run) ?? 0) > failedAt);
    });
  }
}

const test = 'test:';

/** The checks of a run, without whether they mended what they could. */
function partsOf(name: string): readonly string[] {
  return name.split(' && ').map((part) => part.replace(/[:-]fix\b/, ''));
}

/** A name for a run of all that the program of `part` can check: `go test ./...` and `npm test`, but no `go test ./mill`. */
function allOf(part: string): string {
  return `all of ${plainWords(part).slice(0, programWords(part)).join(' ')}`;
}

function isWhole(part: string): boolean {
  return plainWords(part)
    .slice(programWords(part))
    .every((word) => word === './...' || word === '.');
}

function plainWords(part: string): readonly string[] {
  return part.split(' ').filter((word) => !word.startsWith('-'));
}

/** `bun run typecheck`, but `go test`. */
function programWords(part: string): number {
  return plainWords(part)[1] === 'run' ? 3 : 2;
}
