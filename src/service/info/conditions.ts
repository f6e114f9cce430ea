import { embeddingLagMax } from '#core/limits';
import { inSentences } from '#core/platform';
import type { Scope } from '#guard/boundary';
import type { Counts } from '#memory/store';

/** A note is no problem; the other two make `memd doctor` fail. */
export type Severity = 'error' | 'warning' | 'note';

/** A possible problem, declared once for `info`, `doctor` and the start of a session. */
export interface Condition {
  /** Stable: scripts read it. */
  readonly code: string;
  readonly severity: Severity;
  readonly sentence: string;
  readonly repair: string;
}

/** A condition that is met. `detail` says where or how much, and never holds a secret. */
export interface MetCondition extends Condition {
  readonly detail: string;
}

/** The conditions that the counts show. `memd doctor` has the same codes and words, and checks more. */
export const conditions = {
  scope: {
    code: 'scope',
    severity: 'error',
    sentence: 'the boundary is NOT in force, assistants may write anywhere',
    repair: 'correct the file: it is strict JSON with "allow" and "deny" (docs/boundary.md)',
  },
  skippedRows: {
    code: 'skipped-rows',
    severity: 'warning',
    sentence: 'events failed too often and have no summary',
    repair: 'run `memd doctor` (it shows why, and how to try them again)',
  },
  vectors: {
    code: 'vectors',
    severity: 'warning',
    sentence: 'memories have no vector, so search finds them by their words only',
    repair: 'run `memd doctor --fix` (if the embedder fails, memd logs shows why)',
  },
  budget: {
    code: 'budget',
    severity: 'warning',
    sentence: "today's token budget of the paid model is used up, and events wait",
    repair:
      'they are summarised after 00:00 UTC. To go on now, raise hostedllm.dailyTokenBudget and run `memd restart`',
  },
  backlog: {
    code: 'backlog',
    severity: 'warning',
    sentence: 'the summary backlog is not shrinking',
    repair: 'run `memd drain` (it shows what fails)',
  },
  config: {
    code: 'config',
    severity: 'warning',
    sentence: 'a setting is ignored',
    repair: 'correct its name in the file, then run `memd restart`',
  },
  capture: {
    code: 'capture',
    severity: 'warning',
    sentence: 'the capture of tool calls has a problem',
    repair: 'run `memd doctor` (it checks the hooks of each assistant)',
  },
  bridge: {
    code: 'bridge',
    severity: 'warning',
    sentence: 'the page does not run as configured',
    repair: 'correct the cause, then run `memd restart`',
  },
  openFiles: {
    code: 'open-files',
    severity: 'warning',
    sentence: 'the limit of open files is too low for the connections that clients keep',
    repair: 'raise it (ulimit -n) where the daemon is started, then run `memd restart`',
  },
  tokenReplaced: {
    code: 'token',
    severity: 'note',
    sentence: "the page's token was replaced while the daemon runs, so open pages were closed",
    repair: 'if no memd of yours did that, remove ~/.memd/auth.token and run `memd restart`',
  },
  retention: {
    code: 'retention',
    severity: 'warning',
    sentence: 'the database is over its limit',
    repair: 'run `mem prune --confirm`, or raise retention.databaseMiB',
  },
} as const satisfies Record<string, Condition>;

/** What parts of the daemon report in their own words, with the repair. */
type Reporter = 'config' | 'capture' | 'bridge' | 'retention';
const reporters: readonly Reporter[] = ['config', 'capture', 'bridge', 'retention'];

export interface Figures {
  readonly counts: Counts;
  readonly budget?: { readonly dailyTokens: number; readonly remainingTokens: number } | null;
  readonly scope: Scope;
  readonly scopeFile: string;
  /** For how long the backlog has not shrunk, in ms; null: it is no problem. */
  readonly backlogMs?: number | null;
  /** The limit of open files if it was reached; null: it was not. */
  readonly openFilesMax?: number | null;
  readonly tokenReplacedAt?: Date | null;
  readonly reported?: Readonly<Partial<Record<Reporter, readonly string[]>>>;
}

/** The conditions that are met, the worst first. */
export function findingsIn(figures: Figures): readonly MetCondition[] {
  const { counts, scope, scopeFile, reported = {} } = figures;
  const { budget = null, backlogMs = null, openFilesMax = null, tokenReplacedAt = null } = figures;
  const behind = counts.summaries - counts.embeddings;
  const isSpent = budget !== null && budget.remainingTokens <= 0 && counts.raw > 0;
  const waiting = (ms: number): string => `${counts.raw} for ${Math.floor(ms / 60_000)} min`;
  const met = (name: keyof typeof conditions, detail: string | false | undefined): MetCondition[] =>
    typeof detail === 'string' ? [{ ...conditions[name], detail }] : [];
  return [
    ...met('scope', scope.state === 'invalid' && `${scopeFile}: ${scope.error}`),
    ...reporters.flatMap((name) => (reported[name] ?? []).flatMap((detail) => met(name, detail))),
    ...met('skippedRows', counts.skipped > 0 && `${counts.skipped} in all`),
    ...met('vectors', behind > embeddingLagMax && `${behind} of ${counts.summaries}`),
    ...met('budget', isSpent && `${budget.dailyTokens} tokens, ${counts.raw} events`),
    ...met('openFiles', openFilesMax !== null && `it is ${openFilesMax}`),
    ...met('backlog', backlogMs !== null && waiting(backlogMs)),
    ...met('tokenReplaced', tokenReplacedAt?.toISOString()),
  ];
}

/** One line for a person. A report in a part's own words is a whole line already. */
export function lineOf({ code, sentence, detail, repair }: MetCondition): string {
  return reporters.some((name) => name === code) ? detail : inSentences(`${sentence}: ${detail}`, repair);
}
