import { captureSettings } from '#core/config';
import { bytesIn, Failure, messageOf } from '#core/platform';
import { daemonPid, type Environment, type Workspace } from '#core/workspace';
import { readScope, scopeFile } from '#guard/boundary';
import { type Counts, isBusy, isCorruption, readDatabase } from '#memory/store';
import { version } from '../../core/version.ts';
import { findingsIn, lineOf, type MetCondition } from './conditions.ts';
import { connectedIn } from './connected.ts';
import { describeWorkspace, type Info } from './info.ts';
import { shownUsage } from './usage.ts';

const nothing: Counts = {
  ...{ events: 0, messages: 0, raw: 0, summarized: 0, skipped: 0 },
  ...{ summaries: 0, embeddings: 0 },
};

/** The info while the daemon does not answer: the counts come from the database. */
export function offlineInfo(workspace: Workspace, env: Environment): Info {
  const file = scopeFile(workspace.root);
  const scope = readScope(file);
  const { unusable, ...known } = stored(workspace.database);
  const findings = [
    ...(unusable === null ? [] : [unusable]),
    ...findingsIn({ counts: known.counts, scope, scopeFile: file }),
  ];
  return {
    version,
    workspace: describeWorkspace(workspace),
    daemon: { reachable: false, pid: daemonPid(workspace), uptimeSec: null },
    connected: connectedIn(env),
    messages: captureSettings(workspace.config).messages,
    backends: { drain: null, drainError: null, drainHint: null, embedder: null },
    budget: null,
    http: null,
    search: null,
    receipts: null,
    scope,
    bytes: bytesIn(workspace.folder),
    counters: null,
    ...known,
    warnings: findings.map(lineOf),
    findings,
  };
}

interface Stored extends Pick<Info, 'counts' | 'recorded' | 'focus' | 'usage'> {
  readonly unusable: MetCondition | null;
}

/** The values from the database; an unusable database becomes a finding. */
function stored(file: string): Stored {
  const none = { counts: nothing, recorded: [], focus: null, usage: [], unusable: null };
  try {
    const found = readDatabase(file, ({ stats, settings, usage }) => ({
      counts: stats.counts(),
      recorded: stats.recorders(),
      focus: settings.get('focus'),
      usage: shownUsage(usage.of(new Date().toISOString().slice(0, 10))),
    }));
    return { ...none, ...found };
  } catch (error) {
    if (!(error instanceof Failure) && !isCorruption(error)) throw error;
    return { ...none, unusable: unusableBy(file, error) };
  }
}

function unusableBy(file: string, error: unknown): MetCondition {
  const shared = { code: 'database', severity: 'error' } as const;
  if (isCorruption(error)) {
    const repair = 'run `memd start`, which sets it aside and salvages the readable rows';
    return {
      ...shared,
      sentence: 'the database is damaged',
      detail: `${file} (${messageOf(error)})`,
      repair,
    };
  }
  const { what = messageOf(error), repair = null } = error instanceof Failure ? error : {};
  return {
    ...shared,
    sentence: isBusy(error) ? 'another program holds the database locked' : 'the database cannot be used',
    detail: what,
    repair: repair ?? 'run `memd doctor`',
  };
}
