import type { Workspace } from '#core/workspace';
import type { Scope } from '#guard/boundary';
import type { Counts, Recorder } from '#memory/store';
import type { ReceiptsReport } from '#query/receipts';
import type { MetCondition } from './conditions.ts';
import type { ShownUsage } from './usage.ts';

/** `memd info --json`; its shape is stable. */
export interface Info {
  readonly version: string;
  readonly workspace: { readonly key: string; readonly root: string; readonly namespace: string };
  readonly daemon: {
    readonly reachable: boolean;
    readonly pid: number | null;
    readonly uptimeSec: number | null;
  };
  readonly counts: Counts;
  /** The size of the memory's files. */
  readonly bytes: number;
  /** Who recorded what is the user's own; the latest first. Null where a daemon of an earlier version does not say it. */
  readonly recorded: readonly Recorder[] | null;
  /** The assistants whose settings run the hook. */
  readonly connected: readonly string[];
  /** False: `capture.messages` is off, and neither prompts nor replies are stored. */
  readonly messages: boolean;
  readonly backends: {
    readonly drain: string | null;
    /** Why nothing is summarised. */
    readonly drainError: string | null;
    /** What to do about it, or how to use a better backend. */
    readonly drainHint: string | null;
    readonly embedder: string | null;
  };
  readonly http: { readonly url: string } | null;
  /** The daemon's ranking settings; null without the daemon. */
  readonly search: {
    readonly topK: number;
    readonly halfLifeDays: number;
    readonly decayFloor: number;
  } | null;
  readonly focus: string | null;
  /** What memory gave to sessions, and how often that was used; null without the daemon. */
  readonly receipts: ReceiptsReport | null;
  /** The rules of `.memd/scope.json`, or why they are not in force. */
  readonly scope: Scope;
  /** Of today, in UTC. */
  readonly usage: readonly ShownUsage[];
  /** The paid model's tokens of today; null without a key, and without the daemon. */
  readonly budget: { readonly dailyTokens: number; readonly remainingTokens: number } | null;
  readonly counters: Readonly<Record<string, number>> | null;
  /** The findings as one line each. */
  readonly warnings: readonly string[];
  readonly findings: readonly MetCondition[];
}

export function describeWorkspace({ key, root, namespace }: Workspace): Info['workspace'] {
  return { key, root, namespace };
}
