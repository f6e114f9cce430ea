import { readScope, scopeFile } from '../boundary/index.ts';
import { Failure, messageOf, readIfThere } from '../platform/index.ts';
import { type Counts, isCorruption, openStoreReadOnly, type Store } from '../store/index.ts';
import type { Workspace } from '../workspace/index.ts';
import { describeWorkspace, type Info, version } from './info.ts';
import { shownUsage } from './usage.ts';

const nothing: Counts = { events: 0, raw: 0, summarized: 0, skipped: 0, summaries: 0, embeddings: 0 };

/** What can be told while the daemon does not answer: the counts come straight from the database. */
export function offlineInfo(workspace: Workspace): Info {
  const pid = Number(readIfThere(workspace.pid)?.trim());
  return {
    version,
    workspace: describeWorkspace(workspace),
    daemon: { reachable: false, pid: Number.isInteger(pid) && pid > 0 ? pid : null, uptimeSec: null },
    backends: { drain: null, drainError: null, drainHint: null, embedder: null },
    budget: null,
    http: null,
    search: null,
    scope: readScope(scopeFile(workspace.root)),
    counters: null,
    ...stored(workspace.database),
  };
}

/** What the database tells; one that cannot be used, or breaks off, is one more thing to tell. */
function stored(file: string): Pick<Info, 'counts' | 'focus' | 'usage' | 'warnings'> {
  let store: Store | null = null;
  try {
    store = openStoreReadOnly(file);
    return {
      counts: store?.ledger.counts() ?? nothing,
      focus: store?.ledger.setting('focus') ?? null,
      usage: shownUsage(store?.ledger.usageOf(new Date().toISOString().slice(0, 10)) ?? []),
      warnings: [],
    };
  } catch (error) {
    if (!(error instanceof Failure) && !isCorruption(error)) throw error;
    const told = isCorruption(error)
      ? `${file} is damaged (${messageOf(error)}); run: memd start, which sets it aside and salvages what can be read`
      : messageOf(error);
    return { counts: nothing, focus: null, usage: [], warnings: [told] };
  } finally {
    store?.close();
  }
}
