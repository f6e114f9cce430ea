import path from 'node:path';
import { isObject, type Json, stringAt } from '../../core/event/index.ts';
import { sessionStartLineCharsMax } from '../../core/limits.ts';
import { lstatIfThere, readIfThere, removeIfThere, writeWhole } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';

const sessionStartFailuresMax = 3;
const sessionStartFailuresWindowMs = 10 * 60_000;
const sessionStartBackoffMs = 10 * 60_000;

interface State {
  /** When starts failed, in ms since 1970, the last ones, oldest first. */
  readonly failures: readonly number[];
  /** Of the last of them. */
  readonly reason: string;
  /** How what decides a start stood at the last of them; empty where nobody knows. */
  readonly stood: string;
}

const none: State = { failures: [], reason: '', stood: '' };

/**
 * The starts of this workspace's daemon that failed, kept in `session-start.json` in its folder. A file that is not
 * there, or that cannot be read or written, stands for none: it may cost a vain start, never the session.
 */
export class Attempts {
  readonly #file: string;
  readonly #place: Place;
  #state: State;

  private constructor(file: string, place: Place) {
    this.#file = file;
    this.#place = place;
    this.#state = stateIn(file);
  }

  static of({ folder, config, database }: Place & Pick<Workspace, 'folder'>): Attempts {
    return new Attempts(path.join(folder, 'session-start.json'), { config, database });
  }

  /**
   * Why nothing is tried at `now` (ms since 1970): `sessionStartFailuresMax` failures within the window, the last a short while ago,
   * and neither the settings nor the database touched since. Somebody who has mended them is not to wait.
   */
  refusal(now: number): string | null {
    const last = this.#state.failures.slice(-sessionStartFailuresMax);
    const [oldest, newest] = [last[0], last.at(-1)];
    if (oldest === undefined || newest === undefined || last.length < sessionStartFailuresMax) return null;
    const isRecent = newest <= now && now - newest < sessionStartBackoffMs;
    if (!isRecent || newest - oldest > sessionStartFailuresWindowMs) return null;
    if (this.#state.stood !== '' && this.#state.stood !== standOf(this.#place)) return null;
    const minutes = Math.ceil((newest + sessionStartBackoffMs - now) / 60_000);
    return `the daemon does not answer, and is not tried for ${minutes} min after ${last.length} failures in a row: ${this.#state.reason}. Run: memd doctor`;
  }

  /** Notes at `now` (ms since 1970) that none could be started. */
  note(reason: string, now: number): void {
    this.#add(reason, now, standOf(this.#place));
  }

  /** Notes the failure of one that runs, and so changes its database itself. */
  noteWhileUp(reason: string, now: number): void {
    this.#add(reason, now, '');
  }

  #add(reason: string, now: number, stood: string): void {
    const failures = [...this.#state.failures, now].slice(-sessionStartFailuresMax);
    this.#save({ failures, reason: reason.slice(0, sessionStartLineCharsMax / 2), stood });
  }

  clear(): void {
    if (this.#state.failures.length > 0) this.#save(none);
  }

  #save(state: State): void {
    this.#state = state;
    try {
      if (state.failures.length === 0) removeIfThere(this.#file);
      else writeWhole(this.#file, JSON.stringify(state));
    } catch {
      // A disk that is full or read-only is told of by what fails next.
    }
  }
}

type Place = Pick<Workspace, 'config' | 'database'>;

/** Changes with every change of the settings or the database, of their modes and owners too. */
function standOf({ config, database }: Place): string {
  return [config, database]
    .map((file) => {
      const stat = lstatIfThere(file);
      return stat === null ? 'none' : `${stat.ino}:${stat.size}:${stat.ctimeMs}`;
    })
    .join(' ');
}

function stateIn(file: string): State {
  try {
    // Not a link: it lies in a private folder, but what it says is shown.
    if (lstatIfThere(file)?.isFile() !== true) return none;
    const value: Json = JSON.parse(readIfThere(file) ?? 'null');
    if (!isObject(value) || !Array.isArray(value.failures)) return none;
    const failures = value.failures.filter((at) => typeof at === 'number' && Number.isFinite(at));
    return { failures, reason: stringAt(value, 'reason') ?? '', stood: stringAt(value, 'stood') ?? '' };
  } catch {
    // Half a file, or no right to read it.
    return none;
  }
}
