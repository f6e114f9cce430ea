import type { CheckRun, SessionAccount } from '#memory/account';
import { CheckHistory, partsOf } from '#reading/checks';

/** A session as outline and handoff read it: its account, and the number of its digest or last memory. */
export interface SessionView {
  readonly sessionId: string;
  readonly id: number | null;
  readonly ts: string;
  /** The other author who recorded it. */
  readonly author?: string | undefined;
  readonly account: SessionAccount;
}

export interface ProjectRun extends CheckRun {
  readonly sessionId: string;
}

/** The checks of several sessions as one history: what failed in one may have passed in a later one. */
export function projectChecks(views: readonly SessionView[]): CheckHistory<ProjectRun> {
  const history = new CheckHistory<ProjectRun>();
  const happened: { readonly ts: string; readonly note: () => void }[] = [];
  for (const { sessionId, account } of views) {
    for (const { name, place, end, isFixed, failed, passed, ts } of account.checks) {
      const ended = (
        isPassed: boolean,
        run: CheckRun,
        how: { readonly tests?: readonly string[]; readonly inHook?: boolean } = {},
      ): number =>
        happened.push({
          ts: run.ts,
          note: () => history.ended(name, isPassed, () => ({ ...run, sessionId }), { place, ...how }),
        });
      // After a run without a known end nobody knows.
      const isKnown = end === 'passed' || end === 'failed';
      if (failed !== null && isKnown && !(isFixed && end === 'failed'))
        ended(false, failed, { tests: failed.tests });
      if (passed !== null) ended(true, passed);
      // In the hook of a commit: nobody typed it.
      if (end === 'passed' && (passed === null || passed.ts < ts))
        ended(true, { seq: 0, ts, command: name, said: '' }, { inHook: true });
    }
    for (const { path, ts, isGone } of account.files)
      if (isGone) happened.push({ ts, note: () => history.removed(path) });
  }
  for (const { note } of happened.sort((one, other) => (one.ts < other.ts ? -1 : one.ts > other.ts ? 1 : 0)))
    note();
  return history;
}

/** The files that a check names: without any of them it cannot fail any more. */
export function filesOfCheck({ name, place }: { readonly name: string; readonly place: string }): string[] {
  const inPlace = (file: string): string => (place === '' ? file : `${place}/${file}`);
  const named = partsOf(name, place).flatMap(({ targets }) => targets);
  return [...new Set(named)].filter((file) => /^[\w@./-]+\.\w{1,5}$/.test(file)).map(inPlace);
}
