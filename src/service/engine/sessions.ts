import { workMsIn } from '#core/event';
import {
  accountText,
  failureWords,
  nothingAsked,
  openNow,
  type SessionAccount,
  type SessionAccounts,
  titleOf,
} from '#memory/account';
import { type BrowseSessions, type Store, sessionNamed } from '#memory/store';
import { projectChecks } from '#query/outline';
import { openOf, type Standings } from '#query/state';

export interface SessionsRequest {
  readonly limit: number;
  readonly session?: string | undefined;
}

export interface StandingsRequest {
  readonly sessions: readonly string[];
  readonly budgetMs: number;
}

/** A person waits for the answer, and no hook. Without what git says, an answer reads as if nothing was committed. */
export const askedMs = 2_000;

interface SessionParts {
  readonly store: Store;
  readonly browse: BrowseSessions;
  readonly accounts: SessionAccounts;
  readonly standings: Standings;
}

/** Sessions with their accounts as text, and what git says of their open work now. */
export async function sessionsOf(
  { limit, session }: SessionsRequest,
  { store, browse, accounts, standings }: SessionParts,
) {
  const one = session === undefined ? null : browse.session(sessionNamed(store.connection, session));
  const rows = session === undefined ? browse.sessions(limit, null).sessions : one === null ? [] : [one];
  const found = rows.map((row) =>
    session === undefined ? accounts.stored(row.sessionId) : accounts.of(row.sessionId),
  );
  const standing = await standings.of(found.map(openOf), askedMs);
  return rows.map((row, at) => {
    const account = found[at] ?? null;
    return account === null
      ? row
      : { ...row, ...listedAs(account), digest: accountText(account, standing[at]) || null };
  });
}

export function listedAs(account: SessionAccount) {
  return { title: titleOf(account), workMs: workMsIn(account.worked) };
}

/** By id what git says of the open work of sessions in a list, and the checks that passed in none of them since; of what git does not say within `budgetMs` nothing. */
export async function standingsOf(
  { sessions, budgetMs }: StandingsRequest,
  { accounts, standings }: Pick<SessionParts, 'accounts' | 'standings'>,
) {
  const asked = sessions.map((sessionId) => {
    const account = accounts.stored(sessionId);
    return { sessionId, account, open: openOf(account) };
  });
  const found = await standings.of(
    asked.map(({ open }) => open),
    budgetMs,
  );
  const failing = projectChecks(
    asked.flatMap(({ sessionId, account }) =>
      account === null ? [] : [{ sessionId, id: null, ts: '', account }],
    ),
  ).open();
  return asked.flatMap(({ sessionId, account, open }, at) => {
    if (open.files.length > 0 && found[at] === nothingAsked) return [];
    const failures = failing.filter(({ failed }) => failed?.sessionId === sessionId).map(failureWords);
    return [[sessionId, { ...openNow(account, found[at]), failures }] as const];
  });
}
