import { digestNamesMax } from '../limits.ts';

/** How a check, or one test of it, went over a session. */
export interface CheckRecord {
  readonly name: string;
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
  #clock = 0;

  ended(name: string, passed: boolean, said: () => string): void {
    this.#clock += 1;
    const record = this.#records.get(name) ?? this.#open(name);
    if (record === null) return;
    record.runs += 1;
    record.passedLast = passed;
    if (passed) record.passedAt = this.#clock;
    else {
      record.failures += 1;
      record.failedAt = this.#clock;
      record.said = said();
    }
  }

  /** Checks that failed at some time, those that ended badly first; not the single tests in them. */
  failed(): readonly (CheckRecord & { readonly mended: boolean })[] {
    return this.#whole()
      .filter(({ failures }) => failures > 0)
      .map((record) => ({ ...record, mended: this.#isMended(record) }))
      .sort((one, other) => Number(one.mended) - Number(other.mended) || other.failedAt - one.failedAt);
  }

  /** The checks as they were run, without those that stand for several. */
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

  /** The tests that failed last and did not pass since. */
  failingTests(): readonly string[] {
    return [...this.#records.values()]
      .filter(({ name, passedLast }) => name.startsWith(test) && !passedLast)
      .filter((record) => !this.#whole().some(({ passedAt }) => passedAt > record.failedAt))
      .map(({ name }) => name.slice(test.length));
  }

  #open(name: string): CheckRecord | null {
    if (this.#records.size >= digestNamesMax) return null;
    const record = { name, runs: 0, failures: 0, passedLast: false, failedAt: 0, passedAt: 0, said: '' };
    this.#records.set(name, record);
    return record;
  }

  #whole(): CheckRecord[] {
    return [...this.#records.values()].filter(({ name }) => !name.startsWith(test));
  }

  /**
   * It passed later; or each of the checks that it was run together with did, or a run of more of the same program
   * (`go test ./...` after `go test ./store`).
   */
  #isMended(record: CheckRecord): boolean {
    if (record.passedLast) return true;
    const passedSince = (name: string): boolean =>
      this.#whole().some(
        (other) =>
          other.passedAt > record.failedAt &&
          (other.name === name ||
            parts(other.name).includes(name) ||
            programOf(other.name) === programOf(name)),
      );
    return parts(record.name).every(passedSince);
  }
}

const test = 'test:';

function parts(name: string): readonly string[] {
  return name.split(' && ');
}

/** `bun run typecheck`, `go test`, `npx tsc`: what is run, without on what. */
function programOf(name: string): string {
  const words = name.split(' ').filter((word) => !word.startsWith('-'));
  const isScript = words[1] === 'run';
  return words.slice(0, isScript ? 3 : 2).join(' ');
}
