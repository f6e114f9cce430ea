import type { Dialect, ModelCall } from './stubs/dialect.ts';
import type { ClientName } from './support/package.ts';
import type { Trial } from './trial.ts';

/** How one real assistant is run without a terminal against a model on the loopback, and what it reports to memd. */
export interface Assistant {
  readonly name: ClientName;
  readonly dialect: Dialect;
  /** The program below its package's `node_modules`; null when what npm has put there has none for this system. */
  readonly program: (modules: string) => string | null;
  readonly args: readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** What the person has configured before memd comes: files below HOME, by their path. `ownHook` is among it where it can be. */
  readonly configuration: (url: string) => Readonly<Record<string, string>>;
  readonly calls: (project: string) => Calls;
  /** What the person must do before the hooks run. */
  readonly consent?: (trial: Trial) => Promise<void>;
  /** A file of the person's without what the assistant itself has written into it. */
  readonly withoutItsOwn?: (text: string) => string;
  /** Whether memd changes none of the person's files, but adds one. */
  readonly addsOnly?: true;
  /** What it leaves running for its next session, by its command line. */
  readonly leaves?: RegExp;
  readonly reports: Reports;
}

/** What the scripted model asks for in a session, in this order. */
export interface Calls {
  /** `succeedingCommand` in a shell. */
  readonly succeeds: ModelCall;
  /** `failingCommand` in a shell. */
  readonly fails: ModelCall;
  /** Writes `written` into `made.txt` in the project. */
  readonly writes: ModelCall;
  /** The same into `private/no.txt`, which the project's `.memd/scope.json` denies. */
  readonly denied: ModelCall;
  /** Asks memd's MCP server for `searchedFor`. */
  readonly searches: ModelCall;
}

/** What differs from assistant to assistant in what memd has of a session. */
export interface Reports {
  /** The live captures: the shell's two and the write. `failed` is whether the hook reports that a command failed. */
  readonly shell: string;
  readonly write: string;
  readonly failed: boolean;
  /** Whether its hooks name the calls as its transcript does, so that the ids are the same. */
  readonly callIds: boolean;
  /** Whether what memd says at a session's start reaches the model. */
  readonly context: boolean;
  /** Whether it reports the end of a session. */
  readonly end: boolean;
  /** Whether it keeps a transcript that backfill reads. */
  readonly transcript: boolean;
  /** False: without a terminal it records no API error that ended a turn. */
  readonly error?: false;
  /** Whether its hook after a call also reports one that was denied. */
  readonly denied?: true;
}

/** What the person asks, and what the model says at the end. */
export const asked = 'Paint the harbour crane vermilion and write down how.';
export const answered = 'The harbour crane is vermilion now, because two coats of oxide hold on iron.';
export const succeedingCommand = 'echo said-by-the-shell';
export const failingCommand = 'ls ./no-such-file-here; exit 3';
export const written = 'from the model';
/** A word that stands in one memory alone, which another assistant has left. */
export const searchedFor = 'lighthouse';
/** A hook of the person's own: it must go on working next to memd's. */
export const ownHook = 'cat > ~/own-hook-ran';
