import { digestNamesMax } from '#core/limits';
import { type Call, commandText, familyOf } from '#reading/call';
import {
  CheckHistory,
  commandRun,
  commandVerdict,
  committed,
  hidesGitFailure,
  isElsewhere,
  placeOf,
} from '#reading/checks';
import { type Subject, subjectsOf } from '#reading/subjects';
import { firstLine, oneLine } from '#reading/text';
import type { Check, CheckRun, Command, Obstacle, Trouble } from './account.ts';
import { isAgain, stepsIn } from './again.ts';
import { Changes } from './changes.ts';
import { checksOf, type UnknownRuns } from './checks-of.ts';
import { complaintIn } from './complaint.ts';
import { takenBack, takesOther } from './git-talk.ts';
import type { FailedCall, Kept, Run } from './run-shapes.ts';
import { takeChecks } from './take-checks.ts';
import type { Place } from './turn.ts';
import {
  codeChanged,
  helpsNobody,
  inline,
  isMinor,
  isStuck,
  isWork,
  looksOnce,
  namesOf,
  pushes,
  toolOf,
  troubleName,
  typedFrom,
  typedIn,
  workIn,
} from './worth.ts';

const commandCharsMax = 400;
const commandsMax = 40;
const troublesMax = 40;
const fixesMax = 300;

/** The commands of a session and how they ended: checks, failures and what fixed them, what was not found. */
export class Runs {
  readonly history = new CheckHistory<Run>();
  /** Runs of checks whose end is not known, by folder and name. */
  readonly #unknown = new Map<string, UnknownRuns>();
  readonly #commands = new Map<string, Kept>();
  readonly #troubles = new Map<string, { -readonly [K in keyof Trouble]: Trouble[K] }>();
  /** Of each of them the last step that does some work: `rm -rf out` ends well whatever failed before it. */
  readonly #lastSteps = new Map<string, string>();
  /** A failed call, and the one that fixed it. */
  readonly fixes: [number, number][] = [];
  #failed: FailedCall[] = [];
  stuck: CheckRun | null = null;
  readonly #changes = new Changes();

  /** `made` is the call as it was made, `call` the same from the root of the session. */
  take(made: Call, call: Call, root: string | null, place: Place): void {
    const subjects = subjectsOf(call);
    const family = familyOf(call);
    const changed = codeChanged(call, subjects);
    const created = subjects.flatMap(({ kind, name, outcome }) =>
      kind === 'file' && outcome === 'created' ? [name] : [],
    );
    this.#changes.created(created);
    if (changed.length > 0) this.history.edited();
    this.#track(changed, call, place.at);
    const run = (): Run => ({
      ...{ seq: place.seq, ts: place.ts, at: place.at, command: oneLine(typedIn(made), commandCharsMax) },
      said: complaintIn(made.result.text),
    });
    takeChecks(this.history, made, root, run);
    if (family === 'command') this.#command(made, root, place);
    if (!call.result.refused) this.#judge(subjects, call, family, place);
    this.#fix(place);
    if (family === 'command' || family === 'edit') this.stuck = isStuck(made) ? run() : null;
  }

  /** What is edited, committed and taken back. */
  #track(changed: readonly string[], call: Call, at: number): void {
    if (committed(commandText(call), call.result)) this.#changes.commit(at);
    const isBack = this.#changes.isOpen() || this.history.open().length > 0 ? takenBack(call) : null;
    if (isBack !== null) {
      const since = this.#changes.takeBack(isBack, at);
      if (takesOther(call)) this.#changes.change([''], at);
      // A formatter may have changed it, which no call shows.
      const file = ({ said }: Run): string => /^([\w@./-]+\.\w{1,5}):\d/.exec(said)?.[1] ?? '';
      this.history.undone((run) => run.at > since || (file(run) !== '' && isBack(file(run))));
    }
    this.#changes.change(changed, at);
  }

  #command(call: Call, root: string | null, place: Place): void {
    const { shell, checks, others } = commandRun(call);
    // A try with another state of the files says nothing of this one.
    if (isElsewhere(call)) return;
    const placed = (folder: string): string => placeOf(call, root, folder);
    this.#uncounted(call, placed, place);
    const command = typedFrom(root, call);
    const end = commandVerdict(call);
    // Lines that become one cannot be run.
    if (command === '' || command.length > commandCharsMax || /[^\\]\n/.test(command) || end === 'none')
      return;
    // Commits have a place of their own.
    const programs = shell.programs.filter((program) => !program.startsWith('git '));
    if (helpsNobody(programs, shell) || (looksOnce(shell, root) && end !== 'started')) return;
    // The same with other numbers is the same.
    const key = shell.essence.replace(/\d+/g, '#');
    const before = this.#commands.get(key);
    const runs = (before?.command.runs ?? 0) + 1;
    this.#commands.delete(key);
    if (this.#commands.size >= digestNamesMax) return;
    const { exitCode, text } = call.result;
    this.#commands.set(key, {
      at: place.at,
      passes: (before?.passes ?? 0) + (end === 'passed' ? 1 : 0),
      steps: stepsIn(shell.steps, placed),
      says: checks.length === 0 ? [workIn(shell)] : others.length === 0 ? namesOf(checks) : [],
      command: {
        ...{ seq: place.seq, ts: place.ts, command, end, runs },
        ...{ exit: exitCode === 0 ? null : exitCode, said: end === 'failed' ? complaintIn(text) : '' },
      },
    });
  }

  /** The checks that ran, and of which nothing shows how they ended. */
  #uncounted(call: Call, placed: (folder: string) => string, place: Place): void {
    const { checks } = commandRun(call);
    const whole = checks.length > 1 ? checks[0] : undefined;
    for (const check of checks) {
      const { name, verdict } = check;
      // The first of a chain ran, whatever came of it.
      const isFirst = check === checks[1] && verdict === 'none' && whole?.verdict !== 'none';
      if (!(isFirst || verdict === 'unknown' || verdict === 'started')) continue;
      if (this.history.all().some((one) => one.name === name && one.latest.at === place.at)) continue;
      const end = verdict === 'started' ? 'started' : 'unknown';
      const folder = placed(check.folder);
      const key = `${folder}\0${name}`;
      this.#unknown.set(key, { name, folder, place, end, runs: (this.#unknown.get(key)?.runs ?? 0) + 1 });
    }
  }

  /** Failures of calls that are not checks, by command or by tool and file. */
  #judge(subjects: readonly Subject[], call: Call, family: string, { seq }: Place): void {
    const isFailed = call.result.failed || hidesGitFailure(call);
    if (!isFailed) this.#reached(subjects);
    if (subjects.some(({ kind }) => kind === 'check') || !isWork(family, call)) return;
    const name = troubleName(subjects, call, family);
    const steps = family === 'command' ? commandRun(call).shell.steps : [];
    if (!isFailed) {
      this.#worked(name, steps);
      return;
    }
    const isCommand = family === 'command';
    const said = isCommand ? complaintIn(call.result.text) : firstLine(call.result.text, 160);
    this.#lastSteps.set(name, steps.findLast((step) => !isMinor(step))?.name ?? name);
    const known = this.#troubles.get(name);
    if (known !== undefined) Object.assign(known, { seq, said, times: known.times + 1, isFixed: false });
    else if (this.#troubles.size < digestNamesMax)
      this.#troubles.set(name, { seq, name, isCommand, times: 1, isFixed: false, said });
    this.#failed.push({ seq, names: [name], isCheck: false });
  }

  /** A push went through, or a script wrote what an edit could not. */
  #reached(subjects: readonly Subject[]): void {
    for (const subject of subjects) {
      const { kind, name, outcome } = subject;
      if (pushes(subject)) this.#fixed('git push');
      if (kind === 'file' && (outcome === 'changed' || outcome === 'created')) this.#fixed(`edit of ${name}`);
    }
  }

  #fixed(name: string): void {
    const trouble = this.#troubles.get(name);
    if (trouble !== undefined) trouble.isFixed = true;
  }

  #worked(name: string, steps: readonly { readonly name: string }[]): void {
    this.#fixed(name);
    for (const [other, trouble] of this.#troubles) {
      const isAgain = steps.some((step) => step.name === (this.#lastSteps.get(other) ?? other));
      // A commit ends a merge that met a conflict, and the tries before it.
      trouble.isFixed ||= isAgain || (name === 'git commit' && trouble.times < stubbornTimes);
    }
  }

  /** Pairs failed calls with the one that proves them over. */
  #fix({ seq }: Place): void {
    const failing = this.history.open();
    if (this.#failed.length === 0 && failing.length === 0) return;
    const open = new Map(failing.map((record) => [record.name, record]));
    if (this.#failed.length > 0)
      this.#failed = this.#failed.filter(({ seq: from, names, isCheck }) => {
        const isFixed = names.every((name) =>
          isCheck ? !open.has(name) : this.#troubles.get(name)?.isFixed === true,
        );
        if (isFixed && this.fixes.length < fixesMax) this.fixes.push([from, seq]);
        return !isFixed;
      });
    const names = [...open.values()].flatMap(({ name, failed }) => (failed?.seq === seq ? [name] : []));
    if (names.length > 0) this.#failed.push({ seq, names, isCheck: true });
  }

  checks(): Check[] {
    return checksOf(this.history.all(), this.#unknown, this.#changes);
  }

  /** What ran last and often comes first: it is what runs again. */
  commands(): Command[] {
    const all = [...this.#commands.values()];
    const clock = Math.max(1, ...all.map(({ at }) => at));
    const over = new Set(this.fixes.map(([from]) => from));
    const open = new Map(this.history.all().map((record) => [record.name, record]));
    const isPassed = (name: string, { at, command }: { at: number; command: string }): boolean => {
      const { passedLast = false, latest, passed } = open.get(name) ?? {};
      const [program = ''] = toolOf(command).split(' ');
      return (
        passedLast && (latest?.at ?? 0) > at && passed?.command.split(/[\s;&|]+/).includes(program) === true
      );
    };
    const isOver = ({ at, says, command: { seq, end, command } }: Kept): boolean =>
      (end === 'failed' || end === 'unknown') &&
      (over.has(seq) ||
        at < this.#changes.committedAt ||
        (says.length > 0 && says.every((name) => isPassed(name, { at, command }))) ||
        all.some(
          (other) =>
            other.at > at &&
            other.command.end === 'passed' &&
            toolOf(other.command.command) === toolOf(command),
        ));
    const known = new Set<string>();
    // Another pipe, other arguments, or a chain of checks that are listed, say no more.
    const isSaid = ({ says, command: { end } }: Kept): boolean => {
      const own = says.map((name) => `${name} ${end}`);
      const isKnown = own.length > 0 && own.every((name) => known.has(name));
      for (const name of own) known.add(name);
      return isKnown;
    };
    return all
      .filter((one) => !isOver(one) && !isAgain(one, all, this.#changes))
      .map((one) => ({ ...one, score: Math.log2(1 + one.command.runs) * 2 + one.at / clock }))
      .sort((one, other) => other.score - one.score)
      .filter((one) => !isSaid(one))
      .slice(0, commandsMax)
      .map(({ command }) => command);
  }

  /** What is open or was stubborn; a failure that the next try fixed, and a slip of an edit, is not worth a word. */
  troubles(): Trouble[] {
    return [...this.#troubles.values()]
      .filter(
        ({ isCommand, isFixed, times, name }) =>
          (isCommand && !isFixed) || (times >= stubbornTimes && !name.startsWith('edit of ')),
      )
      .slice(-troublesMax);
  }

  /** Newest first. */
  missing(): Obstacle[] {
    return this.history
      .obstacles()
      .filter(({ run }) => !inline.test(run.command))
      .map(({ missing, run: { seq, ts, command } }) => ({ seq, ts, missing, command }));
  }
}

const stubbornTimes = 3;
