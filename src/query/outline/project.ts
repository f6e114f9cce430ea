import { CheckHistory, checkOf } from '../../calls/checks/index.ts';
import type { CheckRun, SessionAccount } from '../../memory/account/index.ts';

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
  const happened = views.flatMap(({ sessionId, account: { checks, files } }) => [
    ...checks.flatMap(({ name, place, end, isFixed, failed, passed, ts }) => [
      ...(failed === null || (isFixed && end === 'failed')
        ? []
        : [
            {
              ts: failed.ts,
              note: () =>
                history.ended(name, false, () => ({ ...failed, sessionId }), { place, tests: failed.tests }),
            },
          ]),
      ...(passed === null
        ? []
        : [
            {
              ts: passed.ts,
              note: () => history.ended(name, true, () => ({ ...passed, sessionId }), { place }),
            },
          ]),
      // In the hook of a commit: nobody typed it.
      ...(end === 'passed' && (passed === null || passed.ts < ts)
        ? [
            {
              ts,
              note: () =>
                history.ended(name, true, () => ({ seq: 0, ts, command: name, said: '', sessionId }), {
                  ...{ place, inHook: true },
                }),
            },
          ]
        : []),
    ]),
    ...files.flatMap(({ path, ts, isGone }) => (isGone ? [{ ts, note: () => history.removed(path) }] : [])),
  ]);
  for (const { note } of happened.sort((one, other) => (one.ts < other.ts ? -1 : one.ts > other.ts ? 1 : 0)))
    note();
  return history;
}

/** The files that a check names: without any of them it cannot fail any more. */
export function filesOfCheck({ name, place }: { readonly name: string; readonly place: string }): string[] {
  const inPlace = (file: string): string => (place === '' ? file : `${place}/${file}`);
  const named = name.split(' && ').flatMap((part) => checkOf(part, place).targets);
  return [...new Set(named)].filter((file) => /^[\w@./-]+\.\w{1,5}$/.test(file)).map(inPlace);
}
