import { type Call, familyOf } from '#reading/call';
import { type Check, checkOf, covers, coversAll, partsOf } from './check.ts';
import { committed, hadNothing, hookRuns, refusedCommit, skipsHook } from './hook-runs.ts';
import { foundIn, missingIn } from './obstacle.ts';
import { placeOf } from './place.ts';
import { printedBy } from './printed.ts';
import { commandRun } from './run.ts';
import { fixes, isElsewhere, sureVerdicts } from './sure.ts';
import { testsNamed } from './tests-named.ts';

/** A check over a session or several; `R` is what the caller needs to name a run. */
export interface CheckRecord<R> {
  /** Several checks of one command are one: `npm run lint && npm test`. */
  readonly name: string;
  /** Its folder in the project. */
  readonly place: string;
  runs: number;
  failures: number;
  passedLast: boolean;
  latest: R;
  /** The number of its last failed run among all runs; 0: never. */
  failedAt: number;
  passedAt: number;
  /** Of its last failed run. */
  failed: R | null;
  passed: R | null;
  /** The tests that its last failed run named, without those that passed or were removed since. */
  readonly tests: Set<string>;
  /** A check that covers it has passed since, or its tests have passed or are removed. */
  fixed: boolean;
  /** Its failure says nothing of the work: what failed was taken back, or passed in another form and nothing was changed for it. */
  isMoot: boolean;
  /** Only the hook of a commit ran it. */
  inHook: boolean;
  /** How often something was changed before it failed. */
  changesBefore: number;
  readonly parts: readonly Check[];
}

/** A program, script or module that was not found, and has not been found since. */
export interface Obstacle<R> {
  readonly missing: string;
  readonly run: R;
}

const recordsMax = 500;

/** The checks of calls in the order of their time: what failed and is still open, what passed, what is missing. */
export class CheckHistory<R> {
  readonly #records = new Map<string, CheckRecord<R>>();
  readonly #obstacles = new Map<string, R>();
  /** The checks of the project's commit hook. */
  readonly #hook = new Set<string>();
  #clock = 0;
  /** An edit followed the last check. */
  #isEdited = false;
  #changes = 0;
  /** The check that ran last has passed. */
  #passedLast = false;

  /** `root` is the first folder of the call's session. `run` is asked only where the call counts. */
  take(call: Call, root: string | null, run: () => R): void {
    if (familyOf(call) !== 'command') return;
    const missing = missingIn(call);
    if (missing !== null) {
      this.#obstacles.delete(missing);
      this.#obstacles.set(missing, run());
    } else if (this.#obstacles.size > 0) for (const name of foundIn(call)) this.#obstacles.delete(name);
    // It checks another state of the files.
    if (isElsewhere(call)) return;
    const { command, checks, others, lines } = commandRun(call);
    const made = others.findLast(({ step }) => step.words.includes('commit'))?.step.folder ?? '';
    this.#commits(command, call, lines, run, placeOf(call, root, made));
    if (checks.length === 0) return;
    if (checks.some(({ name }) => fixes.test(name))) this.#changes += 1;
    const sure = sureVerdicts(call);
    const named = testsNamed(lines);
    for (const { name, passed } of named) if (passed) this.#leaveAll((test) => test === name);
    const bad = checks.filter(({ name, verdict }) => verdict === 'failed' && sure.get(name) === 'failed');
    const tests = named.flatMap(({ name, passed }) => (passed ? [] : [name]));
    for (const check of checks) {
      const { name, verdict, isApart } = check;
      const place = placeOf(call, root, check.folder);
      if (verdict === 'passed' && !isApart) this.ended(name, true, run, { place });
      else if (bad.some((one) => one.name === name && one.folder === check.folder)) {
        // Of several checks in a command, the one that failed says more than all together.
        if (checks.length === 1 || check !== checks[0]) this.ended(name, false, run, { place, tests });
        else if (bad.length === 1) this.#together(name, lines, run, { place, tests });
      }
    }
  }

  /**
   * A commit that exists has passed its hook. Where a wrapper hides what the hook ran, it is what an earlier commit printed.
   */
  #commits(command: string, call: Call, lines: readonly string[], run: () => R, place: string): void {
    const printed = hookRuns(command, lines);
    for (const name of printed) if (this.#hook.size < hookMax) this.#hook.add(name);
    const isMade = committed(command, call.result) || (printed.length > 0 && hadNothing(call.result));
    // A hook stops at the first script that fails.
    const failed = !isMade && refusedCommit(command, call.result) ? printed.at(-1) : undefined;
    if (failed !== undefined) {
      for (const name of printed.slice(0, -1)) this.ended(name, true, run, { place, inHook: true });
      this.ended(failed, false, run, { place, inHook: true });
    }
    if (!isMade || skipsHook(command)) return;
    for (const name of printed.length > 0 ? printed : this.#hook)
      this.ended(name, true, run, { place, inHook: true });
  }

  /** A failed command of several checks: where its tests have passed, another check failed. */
  #together(
    name: string,
    lines: readonly string[],
    run: () => R,
    where: { place: string; tests: string[] },
  ): void {
    const said = printedBy(lines);
    const parts = name.split(' && ');
    const isTest = (part: string): boolean => checkOf(part).kind === 'test';
    const others = parts.filter((part) => !isTest(part));
    const arePassed = said.tests === 'passed' && others.length > 0;
    if (arePassed) for (const part of parts.filter(isTest)) this.ended(part, true, run, where);
    // Behind pipes all of a chain run: its only tests are those that failed, if nothing else did.
    const isTests = said.tests === 'failed' && said.others !== 'failed' && parts.length === others.length + 1;
    const failed = arePassed ? others : isTests ? parts.filter(isTest) : parts;
    this.ended(failed.join(' && '), false, run, where);
  }

  ended(
    name: string,
    passed: boolean,
    run: () => R,
    {
      place = '',
      tests = [],
      inHook = false,
    }: { readonly place?: string; readonly tests?: readonly string[]; readonly inHook?: boolean } = {},
  ): void {
    this.#clock += 1;
    this.#isEdited = false;
    const latest = run();
    const record = this.#records.get(`${place}\0${name}`) ?? this.#open(name, place, latest);
    if (record === null) return;
    record.runs += 1;
    record.inHook &&= inHook;
    record.passedLast = passed;
    this.#passedLast = passed;
    record.latest = latest;
    if (passed) {
      record.passedAt = this.#clock;
      // Nobody typed it: it is not how the project is checked by hand.
      if (!inHook) record.passed = latest;
      this.#passed(record, inHook);
    } else {
      record.failures += 1;
      record.failedAt = this.#clock;
      record.failed = latest;
      record.fixed = record.isMoot = false;
      record.changesBefore = this.#changes;
      record.tests.clear();
      for (const test of tests) record.tests.add(test);
    }
  }

  /** Code has changed, so that what passed before is not proven any more. */
  edited(): void {
    this.#isEdited = true;
    this.#changes += 1;
  }

  /** The last check passed, after the last edit, and none is open; `isAsked`: one of these ran at all. */
  allPass(isAsked: (run: R) => boolean = () => true): boolean {
    const isKnown = this.all().some(({ latest }) => isAsked(latest));
    return isKnown && !this.#isEdited && this.#passedLast && this.open().length === 0;
  }

  /** Changes are taken back: what failed with them says nothing of what is left. */
  undone(hadThem: (run: R) => boolean): void {
    for (const record of this.open())
      if (record.failed !== null && hadThem(record.failed)) record.fixed = record.isMoot = true;
  }

  /** A file that is removed takes its tests with it. */
  removed(file: string): void {
    for (const record of this.#records.values()) {
      const targets = record.parts.flatMap((part) => part.targets);
      if (targets.length > 0 && targets.every((target) => isFile(target, file)))
        record.fixed = record.isMoot = record.failures > 0;
    }
    this.#leaveAll((test) => isFile(test.split(/ > |::/, 1)[0] ?? '', file));
  }

  /** Lines that an edit removed, without those that it added. */
  rewrote(removed: string, added: string): void {
    this.#leaveAll((test) => {
      const name = test.split(/ > |::| › /).at(-1) ?? test;
      return name.length >= nameCharsMin && removed.includes(name) && !added.includes(name);
    });
  }

  /** Checks that failed at some time, the open ones first, then the latest. */
  failed(isAsked: (record: CheckRecord<R>) => boolean = () => true): readonly CheckRecord<R>[] {
    return this.all()
      .filter((record) => record.failures > 0 && isAsked(record))
      .sort((one, other) => Number(one.fixed) - Number(other.fixed) || other.failedAt - one.failedAt);
  }

  open(): readonly CheckRecord<R>[] {
    return this.failed(({ fixed }) => !fixed);
  }

  all(): CheckRecord<R>[] {
    return [...this.#records.values()];
  }

  names(): readonly string[] {
    return this.all().map(({ name }) => name);
  }

  /** For each kind of check the widest that last passed; of equal ones the newest. */
  howTo(): readonly (Pick<CheckRecord<R>, 'name' | 'place'> & { readonly kind: string; readonly run: R })[] {
    const best = new Map<string, { name: string; place: string; run: R; rank: number; at: number }>();
    for (const { name, place, parts, passed, passedAt, failedAt } of this.#records.values()) {
      const [part] = parts;
      if (part === undefined || parts.length > 1 || passed === null || failedAt > passedAt) continue;
      // It only tries whether something compiles.
      if (name.includes('/dev/null')) continue;
      if (part.only !== null || part.workspaces.length > 0) continue;
      if (!part.targets.every((target) => nearlyWhole.test(target))) continue;
      const rank =
        (fixes.test(name) ? 0 : 8) +
        (part.targets.length === 0 ? 4 : 0) +
        (part.language === null ? 1 : 0) +
        (part.variant === '' ? 1 : 0) +
        (part.place === '' ? 1 : 0);
      const known = best.get(part.kind);
      if (known === undefined || rank > known.rank || (rank === known.rank && passedAt > known.at))
        best.set(part.kind, { name, place, run: passed, rank, at: passedAt });
    }
    return order.flatMap((kind) => {
      const found = best.get(kind);
      return found === undefined ? [] : [{ kind, name: found.name, place: found.place, run: found.run }];
    });
  }

  /** Newest first. */
  obstacles(): readonly Obstacle<R>[] {
    return [...this.#obstacles].map(([missing, run]) => ({ missing, run })).reverse();
  }

  #open(name: string, place: string, latest: R) {
    if (this.#records.size >= recordsMax) return null;
    const record = {
      ...{ name, place, latest, runs: 0, failures: 0, failed: null, failedAt: 0, passed: null, passedAt: 0 },
      ...{ passedLast: false, fixed: false, isMoot: false, inHook: true, changesBefore: 0 },
      tests: new Set<string>(),
      parts: partsOf(name, place),
    };
    this.#records.set(`${place}\0${name}`, record);
    return record;
  }

  /** Closes each failure of which every part has passed since: the same check, or one that covers it. */
  #passed({ parts: passed }: CheckRecord<R>, inHook: boolean): void {
    const records = [...this.#records.values()];
    for (const record of records) {
      const isCovered = () => record.parts.some((part) => passed.some((one) => covers(one, part)));
      if (record.fixed || record.failedAt === 0 || !isCovered()) continue;
      const later = records
        .filter(({ passedAt }) => passedAt > record.failedAt)
        .flatMap(({ parts }) => parts);
      record.fixed = coversAll(later, record.parts);
      const isSame = record.parts.every(({ name }) => later.some((one) => one.name === name));
      record.isMoot = record.fixed && !isSame && !inHook && record.changesBefore === this.#changes;
    }
  }

  /** A failed run is closed when all the tests that it named have passed or are removed. */
  #leaveAll(leaves: (test: string) => boolean): void {
    for (const record of this.#records.values()) {
      if (record.fixed || record.tests.size === 0) continue;
      for (const test of record.tests) if (leaves(test)) record.tests.delete(test);
      if (record.tests.size === 0) record.fixed = true;
    }
  }
}

const order = ['build', 'test', 'types', 'lint', 'all'] as const;
/** What a project has one of: its tests, its project file. */
const nearlyWhole =
  /^["']?(?:(?:\.\/)?(?:tests?|specs?|__tests__)\/?|[\w./-]+\.(?:sln|slnx|[cf]sproj))["']?$/;
const nameCharsMin = 4;
const hookMax = 16;

function isFile(name: string, file: string): boolean {
  const plain = name.replace(/^\.\//, '');
  return plain !== '' && (plain === file || file.endsWith(`/${plain}`) || plain.endsWith(`/${file}`));
}
