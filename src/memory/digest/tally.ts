import { type Call, commandText, familyOf, fromRoot, refusalReason } from '../../calls/call/index.ts';
import { CheckHistory, commandRun, committed, isCommit } from '../../calls/checks/index.ts';
import { Plan, type PlanState, planStepsIn, stateOf, taskOf } from '../../calls/plan/index.ts';
import { onlyLooks } from '../../calls/shell/index.ts';
import { type Subject, subjectsOf } from '../../calls/subjects/index.ts';
import { isScratch, oneLine } from '../../calls/text/index.ts';
import { digestNamesMax } from '../../core/limits.ts';
import { takeSessionChecks } from './checks.ts';
import { complaintIn } from './complaint.ts';

export interface FileWork {
  readonly path: string;
  edits: number;
  created: boolean;
  removed: boolean;
  /** Symbols written, in order. */
  readonly symbols: Set<string>;
}

export interface Answer {
  readonly question: string;
  readonly answer: string;
}

/** A failure that is not a check. */
export interface Trouble {
  readonly name: string;
  readonly isCommand: boolean;
  times: number;
  /** The same call succeeded later. */
  fixed: boolean;
  said: string;
}

/** Collects what the calls of a session did, call by call. */
export class SessionTally {
  readonly files = new Map<string, FileWork>();
  readonly reads = new Map<string, number>();
  readonly sought = new Set<string>();
  /** Commands that are not checks, with the number of runs. */
  readonly commands = new Map<string, number>();
  readonly commits: string[] = [];
  /** A commit without a known subject: an amended one, one of git's own, one that a subagent may have made. */
  mayHaveCommitted = false;
  readonly answers: Answer[] = [];
  readonly plans: string[] = [];
  /** The last state of the plan; null without one. */
  steps: PlanState | null = null;
  /** The words of the user on refusing a call; empty without a reason. */
  readonly refusals: string[] = [];
  /** Each run with the complaint of its output. */
  readonly checks = new CheckHistory<string>();
  readonly troubles = new Map<string, Trouble>();
  /** Files edited since the last commit. */
  readonly uncommitted = new Set<string>();
  /** Files edited since anything that may have committed. */
  readonly surelyOpen = new Set<string>();
  /** Since the last commit: pushed, pull request opened. */
  pushed = false;
  opened = false;
  readonly #tasks = new Plan();
  #changes = 0;
  #root: string | null = null;

  /** Returns whether the call changed a file that is not scratch. */
  take(made: Call): boolean {
    const before = this.#changes;
    this.#root ??= made.cwd;
    const call = fromRoot(made, this.#root);
    const family = familyOf(call);
    if (call.result.refused) this.refusals.push(oneLine(refusalReason(call.result), 200));
    const subjects = subjectsOf(call);
    for (const subject of subjects) this.#subject(subject);
    takeSessionChecks(this.checks, made, this.#root, () => complaintIn(call.result.text));
    if (family === 'agent') this.#mayCommit();
    if (family === 'question') this.#answered(subjects);
    else if (family === 'plan') this.#planned(subjects, call);
    else if (family === 'command') this.#ran(subjects, call);
    if (!call.result.refused) this.#judge(subjects, call, family);
    return this.#changes > before;
  }

  #subject({ kind, name, outcome }: Subject): void {
    if (kind === 'file' && (outcome === 'changed' || outcome === 'created' || outcome === 'removed')) {
      const file = this.#file(name);
      if (file === null) return;
      file.edits += 1;
      this.#changes += 1;
      if (outcome === 'created') file.created = true;
      file.removed = outcome === 'removed';
      if (isInGit(name)) return;
      this.uncommitted.add(name);
      this.surelyOpen.add(name);
    } else if (kind === 'file' && outcome === 'read') {
      if (!isScratch(name)) this.#count(this.reads, name);
    } else if (kind === 'symbol' && outcome !== 'removed') {
      const at = name.lastIndexOf('#');
      const symbols = this.files.get(name.slice(0, at))?.symbols;
      if (symbols !== undefined && symbols.size < digestNamesMax) symbols.add(name.slice(at + 1));
    } else if (kind === 'query' || kind === 'page') {
      if (this.sought.size < digestNamesMax) this.sought.add(name);
    }
  }

  #file(path: string): FileWork | null {
    const known = this.files.get(path);
    if (known !== undefined) return known;
    if (isScratch(path) || this.files.size >= digestNamesMax) return null;
    const file = { path, edits: 0, created: false, removed: false, symbols: new Set<string>() };
    this.files.set(path, file);
    return file;
  }

  #count(counts: Map<string, number>, name: string): void {
    if (counts.has(name) || counts.size < digestNamesMax) counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  #answered(subjects: readonly Subject[]): void {
    const names = subjects.flatMap(({ kind, name }) => (kind === 'decision' ? [name] : []));
    for (const name of names) {
      const at = name.indexOf(' -> ');
      if (at < 0) continue;
      this.answers.push({ question: name.slice(0, at), answer: name.slice(at + ' -> '.length) });
    }
  }

  #planned(subjects: readonly Subject[], call: Call): void {
    if (call.result.failed) return;
    const list = planStepsIn(call);
    const task = taskOf(call);
    if (list.length > 0) this.steps = stateOf(list);
    if (task !== null) {
      this.#tasks.take(task);
      this.steps = this.#tasks.state();
    }
    for (const { kind, name } of subjects) {
      if (kind === 'decision' && this.plans.at(-1) !== name) this.plans.push(name);
    }
  }

  #ran(subjects: readonly Subject[], call: Call): void {
    for (const { kind, name, outcome } of subjects) {
      if (kind === 'decision') this.#committed(name, call);
      if (kind === 'command') this.#count(this.commands, name);
      if (kind !== 'command' || outcome === 'failed' || call.result.failed) continue;
      if (/^git push\b/.test(name)) this.pushed = true;
      if (/^git (?:push|merge|rebase|cherry-pick|revert|am|pull)\b|^gh pr /.test(name)) this.#mayCommit();
      if (/^gh pr create\b/.test(name)) this.opened = true;
    }
    // `--amend --no-edit` and an editor give no subject.
    if (committed(commandText(call), call.result.text, !call.result.failed)) {
      this.uncommitted.clear();
      this.#mayCommit();
    }
  }

  #mayCommit(): void {
    this.mayHaveCommitted = true;
    this.surelyOpen.clear();
  }

  #committed(subject: string, call: Call): void {
    // An amended commit replaces the one before.
    if (/\bcommit\b[^&|;]*--amend\b/.test(commandText(call))) this.commits.pop();
    if (this.commits.at(-1) !== subject) this.commits.push(subject);
    this.uncommitted.clear();
    this.surelyOpen.clear();
    this.pushed = false;
    this.opened = false;
  }

  /** Failures of calls that are not checks, by command or by tool and file. */
  #judge(subjects: readonly Subject[], call: Call, family: string): void {
    if (subjects.some(({ kind }) => kind === 'check') || !isWork(family, call)) return;
    const name = troubleName(subjects, call, family);
    const known = this.troubles.get(name);
    if (!call.result.failed) {
      if (known !== undefined) known.fixed = true;
      return;
    }
    const said = family === 'command' ? complaintIn(call.result.text) : firstLine(call.result.text);
    if (known !== undefined) {
      known.times += 1;
      known.fixed = false;
      known.said = said;
    } else if (this.troubles.size < digestNamesMax) {
      const isCommand = family === 'command';
      this.troubles.set(name, { name, isCommand, times: 1, fixed: false, said });
    }
  }
}

/** Whether a failure matters: not for a search without results, nor for a call that the client cancelled. */
function isWork(family: string, call: Call): boolean {
  if (
    family === 'read' ||
    family === 'search' ||
    family === 'plan' ||
    /^Sibling tool call errored/.test(call.result.text)
  )
    return false;
  const { programs } = commandRun(call).shell;
  if (family === 'command' && programs.length > 0 && onlyLooks(programs.slice(-1))) return false;
  return !/^\s*(?:cd\s[^;&|]*&&\s*)?(?:ls|cat|grep|rg|find|head|tail|which|test|stat|file|pwd|echo)\b/.test(
    commandIn(call, family),
  );
}

function firstLine(text: string): string {
  return oneLine(text.slice(0, 2_000).trim().split('\n', 1)[0] ?? '', 160);
}

function troubleName(subjects: readonly Subject[], call: Call, family: string): string {
  const run = subjects.find(({ kind }) => kind === 'command');
  const text = commandIn(call, family);
  if (isCommit(text)) return 'git commit';
  // A retry has other options.
  if (family === 'command')
    return (run?.name ?? oneLine(text, 200)).replace(/^(git (?:push|pull|rebase|merge|add)) .*$/s, '$1');
  const file = subjects.find(({ kind }) => kind === 'file');
  return file === undefined ? call.tool : `${call.tool} ${file.name}`;
}

/** Other tools than the shell may have a `command` or an `input`. */
function commandIn(call: Call, family: string): string {
  return family === 'command' ? commandText(call) : '';
}

/** Git's own files are never committed. */
export function isInGit(path: string): boolean {
  return /(?:^|\/)\.git\//.test(path);
}
