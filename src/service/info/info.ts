import type { Workspace } from '../../core/workspace/index.ts';
import type { Scope } from '../../guard/boundary/index.ts';
import type { Counts } from '../../memory/store/index.ts';
import type { Told } from './finding.ts';
import type { ShownUsage } from './usage.ts';

export { version } from '../../core/version.ts';

/** `memd info --json` (CONTRACT 7); its shape is stable. */
export interface Info {
  readonly version: string;
  readonly workspace: { readonly key: string; readonly root: string; readonly namespace: string };
  readonly daemon: {
    readonly reachable: boolean;
    readonly pid: number | null;
    readonly uptimeSec: number | null;
  };
  readonly counts: Counts;
  readonly backends: {
    readonly drain: string | null;
    /** Why nothing is summarised, to the letter. */
    readonly drainError: string | null;
    /** What to do about it, or about a better backend that is not used. */
    readonly drainHint: string | null;
    readonly embedder: string | null;
  };
  readonly http: { readonly url: string } | null;
  /** What the daemon ranks with; null without it. */
  readonly search: {
    readonly topK: number;
    readonly halfLifeDays: number;
    readonly decayFloor: number;
  } | null;
  readonly focus: string | null;
  /** The rules of the project's `.memd/scope.json`, or why none are in force. */
  readonly scope: Scope;
  /** Of today, in UTC. */
  readonly usage: readonly ShownUsage[];
  /** The paid model's tokens of today; null without a key, and without the daemon. */
  readonly budget: { readonly dailyTokens: number; readonly remainingTokens: number } | null;
  readonly counters: Readonly<Record<string, number>> | null;
  /** What is amiss, a line each with its repair. */
  readonly warnings: readonly string[];
  /** The same in parts, under the codes that `memd doctor` has. */
  readonly findings: readonly Told[];
}

/** What is known of a workspace from the outside. */
export function describeWorkspace({ key, root, namespace }: Workspace): Info['workspace'] {
  return { key, root, namespace };
}
