import path from 'node:path';
import { isObject, type Json, stringAt } from '#core/event';
import { sessionStartLineCharsMax } from '#core/limits';
import {
  bestEffort,
  inSentences,
  lstatIfThere,
  orElse,
  readIfThere,
  removeIfThere,
  writeWhole,
} from '#core/platform';
import type { Workspace } from '#core/workspace';

const sessionStartFailuresMax = 3;
const sessionStartFailuresWindowMs = 10 * 60_000;
const sessionStartBackoffMs = 10 * 60_000;

interface State {
  /** The last failed starts, in ms since 1970, oldest first. */
  readonly failures: readonly number[];
  /** Of the last failure. */
  readonly reason: string;
  /** Fingerprint of settings and database at the last failure; empty: unknown. */
  readonly stood: string;
}

const none: State = { failures: [], reason: '', stood: '' };

export type Attempts = ReturnType<typeof attemptsOf>;

/**
 * The failed starts of this workspace's daemon, in `session-start.json` in its folder. A file that is missing, unreadable or not writable
 * counts as no failures: that may cost a useless start, never the session.
 */
export function attemptsOf({ folder, ...watched }: Watched & Pick<Workspace, 'folder'>) {
  const file = path.join(folder, 'session-start.json');
  let state = stateIn(file);
  const save = (changed: State): void => {
    state = changed;
    // On a full or read-only disk the next step fails and reports it.
    bestEffort(() => {
      if (changed.failures.length === 0) removeIfThere(file);
      else writeWhole(file, JSON.stringify(changed));
    });
  };
  const add = (reason: string, now: number, stood: string): void => {
    const failures = [...state.failures, now].slice(-sessionStartFailuresMax);
    save({ failures, reason: reason.slice(0, sessionStartLineCharsMax / 2), stood });
  };
  return {
    /**
     * Why no start is tried at `now` (ms since 1970): `sessionStartFailuresMax` recent failures, and no change of settings or database
     * since. A user who has repaired them need not wait.
     */
    refusal: (now: number): string | null => {
      const last = state.failures.slice(-sessionStartFailuresMax);
      const [oldest, newest] = [last[0], last.at(-1)];
      if (oldest === undefined || newest === undefined || last.length < sessionStartFailuresMax) return null;
      const isRecent = newest <= now && now - newest < sessionStartBackoffMs;
      if (!isRecent || newest - oldest > sessionStartFailuresWindowMs) return null;
      if (state.stood !== '' && state.stood !== fingerprintOf(watched)) return null;
      const minutes = Math.ceil((newest + sessionStartBackoffMs - now) / 60_000);
      const what = `the daemon does not answer, and is not tried for ${minutes} min after ${last.length} failures in a row: ${state.reason}`;
      return inSentences(what, 'run `memd doctor`');
    },
    /** Notes a failed start at `now` (ms since 1970). */
    note: (reason: string, now: number) => add(reason, now, fingerprintOf(watched)),
    /** Notes the failure of a running daemon, which changes its database itself. */
    noteWhileUp: (reason: string, now: number) => add(reason, now, ''),
    clear: (): void => {
      if (state.failures.length > 0) save(none);
    },
  };
}

type Watched = Pick<Workspace, 'config' | 'database'>;

/** Changes with every change of settings or database, also of their modes and owners. */
function fingerprintOf({ config, database }: Watched): string {
  return [config, database]
    .map((file) => {
      const stat = lstatIfThere(file);
      return stat === null ? 'none' : `${stat.ino}:${stat.size}:${stat.ctimeMs}`;
    })
    .join(' ');
}

function stateIn(file: string): State {
  // An incomplete or unreadable file.
  return orElse(() => {
    // Not a link: its text is shown to the user.
    if (lstatIfThere(file)?.isFile() !== true) return none;
    const value: Json = JSON.parse(readIfThere(file) ?? 'null');
    if (!isObject(value) || !Array.isArray(value.failures)) return none;
    const failures = value.failures.filter((at) => typeof at === 'number' && Number.isFinite(at));
    return { failures, reason: stringAt(value, 'reason') ?? '', stood: stringAt(value, 'stood') ?? '' };
  }, none);
}
