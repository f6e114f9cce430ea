import { Failure, readIfThere } from '../platform/index.ts';
import { type Counts, openStoreReadOnly, type Store } from '../store/index.ts';
import type { Workspace } from '../workspace/index.ts';
import { describeWorkspace, type Info, version } from './info.ts';

const nothing: Counts = { events: 0, raw: 0, summarized: 0, skipped: 0, summaries: 0, embeddings: 0 };

/** What can be told while the daemon does not answer: the counts come straight from the database. */
export function offlineInfo(workspace: Workspace): Info {
  const { store, warnings } = lookInto(workspace.database);
  try {
    const pid = Number(readIfThere(workspace.pid)?.trim());
    return {
      version,
      workspace: describeWorkspace(workspace),
      daemon: { reachable: false, pid: Number.isInteger(pid) && pid > 0 ? pid : null, uptimeSec: null },
      counts: store?.ledger.counts() ?? nothing,
      backends: { drain: null, drainError: null, embedder: null },
      http: null,
      focus: store?.ledger.setting('focus') ?? null,
      scope: { state: 'off' },
      usage: store?.ledger.usageOf(new Date().toISOString().slice(0, 10)) ?? [],
      counters: null,
      warnings,
    };
  } finally {
    store?.close();
  }
}

/** A database that cannot be used is one more thing to tell. */
function lookInto(file: string): { store: Store | null; warnings: string[] } {
  try {
    return { store: openStoreReadOnly(file), warnings: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { store: null, warnings: [error.message] };
  }
}
