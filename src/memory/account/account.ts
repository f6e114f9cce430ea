import type { Stretch } from '#core/event';

/** The form of a stored account. One of another form is made again. */
export const accountForm = 15;

/** How a run ended. `started`: only started, its end is not known. */
export type End = 'passed' | 'failed' | 'unknown' | 'started';

export const endWords: Readonly<Record<End, string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'end unknown',
  started: 'started, end unknown',
};

export const endings = ['failing', 'unfinished', 'committed', 'changed', 'looked'] as const;
/** How a session ended, in a word. */
export type Ending = (typeof endings)[number];

/** Words, and the `seq` of the event that has them. */
export interface Said {
  readonly seq: number;
  readonly text: string;
}

export interface Goal extends Said {
  /** The title of a pasted plan; empty for any other request. */
  readonly title: string;
  /** For a line. */
  readonly short: string;
}

/** What a prompt asked for, with the turns after it that only answer. */
export interface Request extends Said {
  readonly turns: number;
  readonly calls: number;
  readonly files: number;
  /** Most of what was written for it was taken out again for later ones. */
  readonly isUndone: boolean;
  /** What its last reply reports or concludes. */
  readonly says: Said | null;
}

/** What came of the last turn that did work, in the assistant's words. */
export interface Outcome extends Said {
  readonly ts: string;
  readonly short: string;
  /** The request that it answers. */
  readonly request: number;
  /** A later request was worked on, and nothing says what came of that. */
  readonly isEarlier: boolean;
  /** What came before of the request for which far more files were changed. */
  readonly main: Said | null;
}

export interface Commit extends Said {
  readonly ts: string;
  readonly hash: string | null;
  /** How many files git counted. */
  readonly files: number | null;
}

export interface Decision extends Said {
  /** `plan`: listed in a pasted plan. `accepted`: the title of a plan that the user accepted. */
  readonly by: 'answer' | 'accepted' | 'plan' | 'words' | 'refusal';
  /** Of an answer. */
  readonly question: string;
}

/** A run of a check, as typed. */
export interface CheckRun {
  readonly seq: number;
  readonly ts: string;
  readonly command: string;
  /** What went wrong. */
  readonly said: string;
}

export interface Check {
  /** The last run of it. */
  readonly seq: number;
  readonly ts: string;
  readonly name: string;
  /** The folder in the project. */
  readonly place: string;
  readonly end: End;
  /** With those of an unknown end. */
  readonly runs: number;
  readonly failures: number;
  readonly unknown: number;
  /** It failed last, and was proven otherwise since. */
  readonly isFixed: boolean;
  /** What failed was taken back, or passed in another form without a change: nothing was fixed. */
  readonly isMoot: boolean;
  /** Files were changed after its last run, and nothing that covers it has passed since. */
  readonly isStale: boolean;
  /** It is not open, and the same tool passed on more with it or since. */
  readonly isNarrow: boolean;
  /** The last failed run, with the tests that it named. */
  readonly failed: (CheckRun & { readonly tests: readonly string[] }) | null;
  /** The last run that passed and was typed. */
  readonly passed: CheckRun | null;
}

export interface ChangedFile {
  /** From `root`. */
  readonly path: string;
  /** The last change. */
  readonly seq: number;
  readonly ts: string;
  readonly edits: number;
  /** As `git diff --stat` counts them, over all edits; both 0 where that is not known. */
  readonly added: number;
  readonly removed: number;
  readonly isNew: boolean;
  readonly isGone: boolean;
  /** No call since its last change may have committed it. */
  readonly isOpen: boolean;
  readonly symbols: readonly string[];
  /** Hashes of some lines that the session added, by which git is asked for them. */
  readonly lines: readonly number[];
}

export interface PlanLeft {
  readonly seq: number;
  readonly done: number;
  readonly of: number;
  /** In doubt none: a step is open only if nothing later closes it. */
  readonly open: readonly string[];
}

/** A command that is worth running again, as typed. */
export interface Command {
  readonly seq: number;
  readonly ts: string;
  readonly command: string;
  readonly end: End;
  readonly exit: number | null;
  readonly runs: number;
  readonly said: string;
}

/** A failure of a call that is not a check. */
export interface Trouble {
  readonly seq: number;
  readonly name: string;
  readonly isCommand: boolean;
  readonly times: number;
  readonly isFixed: boolean;
  readonly said: string;
}

/** A program, script or module that was not found. */
export interface Obstacle {
  readonly seq: number;
  readonly ts: string;
  readonly missing: string;
  readonly command: string;
}

export interface Agent extends Said {
  readonly name: string;
}

export interface Ended {
  readonly isPushed: boolean;
  readonly isPullRequest: boolean;
  /** The request in whose middle it ended, and the last words. */
  readonly during: readonly Said[];
  /** The API error that ended it: nothing followed. */
  readonly error?: Said;
  /** The command on which it ended, when that failed and was not to look for something. */
  readonly stuck: CheckRun | null;
}

/** How a session went: built from its events, and printed by all that show a session. */
export interface SessionAccount {
  readonly form: number;
  /** The first folder of the session. */
  readonly root: string | null;
  /** All that was said in it, an agent said. */
  readonly isAgent: boolean;
  /** Without the pauses. */
  readonly worked: readonly Stretch[];
  readonly goal: Goal | null;
  readonly requests: readonly Request[];
  /** The last request in more words; null when it is the goal. */
  readonly last: Said | null;
  readonly outcome: Outcome | null;
  readonly commits: readonly Commit[];
  readonly decided: readonly Decision[];
  readonly checks: readonly Check[];
  readonly files: readonly ChangedFile[];
  /** With those that `files` leaves out, as far as git counted them. */
  readonly filesCount: number;
  /** Formatters, generators, scripts or agents may have changed more files than calls show. */
  readonly mayBeMore: boolean;
  /** What the last reply says is left to do. */
  readonly left: readonly Said[];
  /** With which the last reply ends, and nobody answered. */
  readonly question: Said | null;
  /** What a plan leaves to a person: no call shows whether it was done. */
  readonly byHand: readonly Said[];
  readonly plan: PlanLeft | null;
  readonly ended: Ended;
  readonly agents: readonly Agent[];
  readonly commands: readonly Command[];
  readonly troubles: readonly Trouble[];
  /** How many calls failed, and the first of them. */
  readonly failures: { readonly count: number; readonly first: number };
  readonly missing: readonly Obstacle[];
  /** Files read and words looked for, the most often first. */
  readonly looked: { readonly files: readonly string[]; readonly words: readonly string[] };
  /** A failed call, and the one that fixed it. */
  readonly fixes: readonly (readonly [number, number])[];
}

/** What a list shows of a session. */
export interface Brief {
  readonly title: string;
  /** What came of it, else what was wanted; empty when the title says it. */
  readonly second: string;
  readonly ending: Ending;
  readonly workMs: number;
  readonly files: readonly string[];
  readonly filesCount: number;
  /** The checks that failed last, each with its complaint. */
  readonly failures: readonly string[];
  /** Of an open session only. */
  readonly decided?: readonly string[];
  /** How far the plan is, if steps are open. */
  readonly plan: string;
}

/** What git says of the files that a session left open, at the time when it is shown. */
export interface Standing {
  readonly uncommitted: readonly string[];
  /** Commits after the session that hold its changes; a file may be in several. */
  readonly committed: readonly {
    readonly hash: string;
    readonly subject: string;
    readonly files: readonly string[];
  }[];
}

/** The same for a page, in words. */
export interface OpenNow {
  readonly uncommitted: readonly string[];
  /** What no commit has, and what was committed after the session. */
  readonly open: readonly string[];
  readonly later: readonly string[];
  readonly ending: Ending | null;
  /** The commits of the session, each with the files that the session changed, and those of which it shows no change. */
  readonly commits: readonly {
    readonly hash: string;
    readonly files: readonly string[];
    readonly foreign: readonly string[];
  }[];
}

/** A stored account; null when it is empty or of another form. */
export function readAccount(json: string | null): SessionAccount | null {
  if (json === null || !json.startsWith(`{"form":${accountForm},`)) return null;
  return JSON.parse(json) as SessionAccount;
}
