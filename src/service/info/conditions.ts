import { embeddingLagMax } from '../../core/limits.ts';
import type { Scope } from '../../guard/boundary/index.ts';
import type { Counts } from '../../memory/store/index.ts';
import type { Condition, Told } from './finding.ts';

/** What can be told from figures that are at hand. `memd doctor` has the same codes and words, and looks closer. */
export const conditions = {
  scope: {
    code: 'scope',
    severity: 'error',
    sentence: 'the boundary is NOT in force, assistants may write anywhere',
    repair: 'correct the file; it is strict JSON with "allow" and "deny" (docs/boundary.md)',
  },
  skippedRows: {
    code: 'skipped-rows',
    severity: 'warning',
    sentence: 'events were given up and have no summary',
    repair: 'run: memd doctor (it tells why, and how to have them tried anew)',
  },
  vectors: {
    code: 'vectors',
    severity: 'warning',
    sentence: 'memories have no vector and are found by their words alone',
    repair: 'run: memd doctor --fix (the embedder, if it fails, is told of in memd logs)',
  },
  budget: {
    code: 'budget',
    severity: 'warning',
    sentence: "today's budget of the paid model is used up while events wait",
    repair: 'they are summarised after 00:00 UTC; or raise hostedllm.dailyTokenBudget, then: memd restart',
  },
  backlog: {
    code: 'backlog',
    severity: 'warning',
    sentence: 'events wait to be summarised and become no fewer',
    repair: 'run: memd drain (it tells what fails)',
  },
  config: {
    code: 'config',
    severity: 'warning',
    sentence: 'a setting is ignored',
    repair: 'correct its name in the file, then: memd restart',
  },
  capture: {
    code: 'capture',
    severity: 'warning',
    sentence: 'tool calls were made and not captured',
    repair: 'run: memd doctor (it looks at the hooks of each assistant)',
  },
  bridge: {
    code: 'bridge',
    severity: 'warning',
    sentence: 'the page is not there as it should be',
    repair: 'put that right, then: memd restart',
  },
  retention: {
    code: 'retention',
    severity: 'warning',
    sentence: 'the database is larger than it may be',
    repair: 'run: mem prune --confirm, or raise retention.databaseMiB',
  },
} as const satisfies Record<string, Condition>;

export interface Figures {
  readonly counts: Counts;
  readonly budget: { readonly dailyTokens: number; readonly remainingTokens: number } | null;
  readonly scope: Scope;
  readonly scopeFile: string;
  /** Since when more events wait than should, and become no fewer, in ms; null: they do not. */
  readonly backlogMs: number | null;
  /** What parts of the daemon say in their own words, with the repair. */
  readonly own: Readonly<Partial<Record<'config' | 'capture' | 'bridge' | 'retention', readonly string[]>>>;
}

/** What is amiss, the worst first. */
export function reportedBy({ counts, budget, scope, scopeFile, backlogMs, own }: Figures): readonly Told[] {
  const behind = counts.summaries - counts.embeddings;
  const spent = budget !== null && budget.remainingTokens <= 0 && counts.raw > 0;
  const minutes = Math.floor((backlogMs ?? 0) / 60_000);
  const waiting = `${counts.raw} for ${minutes} min`;
  return [
    ...(scope.state === 'invalid' ? [{ ...conditions.scope, detail: `${scopeFile}: ${scope.error}` }] : []),
    ...ownWords('config', own),
    ...ownWords('capture', own),
    ...ownWords('bridge', own),
    ...ownWords('retention', own),
    ...(counts.skipped > 0 ? [{ ...conditions.skippedRows, detail: `${counts.skipped} in all` }] : []),
    ...(behind > embeddingLagMax
      ? [{ ...conditions.vectors, detail: `${behind} of ${counts.summaries}` }]
      : []),
    ...(spent
      ? [{ ...conditions.budget, detail: `${budget.dailyTokens} tokens, ${counts.raw} events` }]
      : []),
    ...(backlogMs !== null ? [{ ...conditions.backlog, detail: waiting }] : []),
  ];
}

/** One line for a person. What a part of the daemon says in its own words is whole as it is. */
export function lineOf(told: Told): string {
  if (ownCodes.has(told.code)) return told.detail;
  return `${told.sentence}: ${told.detail}; ${told.repair}`;
}

const ownCodes: ReadonlySet<string> = new Set(['config', 'capture', 'bridge', 'retention']);

function ownWords(name: 'config' | 'capture' | 'bridge' | 'retention', own: Figures['own']): Told[] {
  return (own[name] ?? []).map((detail) => ({ ...conditions[name], detail }));
}
