import { type SessionAccount, wholeBriefOf } from '#memory/account';
import {
  type ListedSession,
  type StepCursor,
  type Store,
  shownPayload,
  stepAt,
  stepsAfter,
} from '#memory/store';
import { readStored } from '#reading/call';
import { type Step, stepOf } from './step.ts';

const rootRowsMax = 12;
/** Characters of a payload that are sent with one step. */
const payloadCharsMax = 256 * 1024;

/** The next steps of a session, oldest first. `last` is null when there is none. */
export function stepsOf(
  { connection }: Pick<Store, 'connection'>,
  sessionId: string,
  after: StepCursor | null,
  limit: number,
): { steps: Step[]; last: StepCursor | null; isEnd: boolean } {
  const rows = stepsAfter(connection, sessionId, after, limit + 1);
  const root = rootOf(connection, sessionId);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    steps: shown.map((row) => stepOf(row, root)),
    last: last === undefined ? after : { ts: last.ts, seq: last.seq },
    isEnd: rows.length <= limit,
  };
}

/** What the header of a session is drawn from; `reply`: the whole one that the outcome is from. */
export function headOf(
  { connection }: Pick<Store, 'connection'>,
  session: ListedSession,
  account: SessionAccount | null,
) {
  const row = account?.outcome ? stepAt(connection, account.outcome.seq) : null;
  const step = row && stepOf(row);
  return {
    session: { ...session, brief: account && wholeBriefOf(account) },
    account,
    reply: step?.kind === 'reply' ? step.title : null,
  };
}

/** The redacted payload of one step; its beginning as text if it is too long. Null if the event does not exist. */
export function stepDetail({ connection }: Pick<Store, 'connection'>, seq: number): object | null {
  const row = stepAt(connection, seq);
  if (row === null) return null;
  const { payloadJson, ...event } = row;
  const isCut = payloadJson.length > payloadCharsMax;
  const payload: unknown = isCut ? payloadJson.slice(0, payloadCharsMax) : shownPayload(payloadJson);
  return { ...event, payload, ...(isCut && { payloadCut: true }) };
}

/** The folder of the first call of a session that names one; null when none of the first calls does. */
export function rootOf(connection: Store['connection'], sessionId: string): string | null {
  for (const { payloadJson } of stepsAfter(connection, sessionId, null, rootRowsMax)) {
    // A message has a folder too, but is not a call.
    const cwd = payloadJson.includes('"cwd"') ? (readStored(payloadJson)?.cwd ?? null) : null;
    if (cwd !== null) return cwd;
  }
  return null;
}
