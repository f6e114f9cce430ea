import {
  decisionWords,
  endWords,
  goalWords,
  outcomeWords,
  type SessionAccount,
  type SessionAccounts,
} from '#memory/account';
import { OutlineReads, type Store, sessionNamed } from '#memory/store';
import { counted } from '#reading/text';
import { committedTitle, type Gathered, openFiles, openTitle, shown } from './gathered.ts';
import {
  type Draft,
  type DraftSection,
  endLines,
  failureLine,
  openLines,
  saidLines,
  withIds,
} from './lines.ts';
import { filesOfCheck, projectChecks } from './project.ts';
import { framedLines, outlineLines } from './text.ts';

export const handoffTokens = 600;
const decidedMax = 5;
const notedMax = 5;
const failuresMax = 4;
const filesMax = 12;
/** Without room for more. */
const fewFiles = 4;
const commitsMax = 4;

export interface HandoffRequest {
  /** A session id, a unique start of one, or `last`. */
  readonly session: string;
  readonly tokens: number;
  /** The folder of who asks. */
  readonly cwd?: string | undefined;
}

export interface Handoff {
  readonly sessionId: string;
  /** In a frame, for an assistant. */
  readonly text: string;
  readonly lines: readonly string[];
  /** The memories that the lines name. */
  readonly ids: readonly number[];
}

type Sections = Pick<Gathered, 'sections' | 'open'>;

/** What another assistant, or a person, needs to go on with a session. @throws Failure `bad_request` when no session, or more than one, has this name */
export function gatherHandoff(
  store: Pick<Store, 'connection'>,
  accounts: SessionAccounts,
  session: string,
): Sections & { readonly sessionId: string } {
  const sessionId = sessionNamed(store.connection, session);
  const found = handoffSections(new OutlineReads(store), accounts, sessionId);
  return { sessionId, ...(found ?? { sections: [], open: [] }) };
}

export function printedHandoff(
  { sessionId, sections, open }: ReturnType<typeof gatherHandoff>,
  tokens: number,
  given: Parameters<typeof shown>[2],
): Handoff {
  const printed = outlineLines(shown(sections, open, given), tokens);
  return { sessionId, text: framedLines(printed), ...printed };
}

/** Null when the session has no events. */
export function handoffSections(
  reads: OutlineReads,
  accounts: SessionAccounts,
  sessionId: string,
): Sections | null {
  const [row] = reads.sessions(1, sessionId);
  const account = accounts.of(sessionId);
  if (row === undefined || account === null) return null;
  const view = { sessionId, id: row.id, ts: row.ts, account };
  const { ts, author } = row;
  const line = (seq: number, text: string): Draft => ({ seq, ts, text });
  const { goal, last, outcome, question, decided, commits, files } = account;
  const by = author === undefined ? [] : [{ id: null, ts, text: author }];
  const sections: readonly DraftSection[] = [
    { title: 'Recorded on another device, by:', lines: by, share: 1 },
    { title: 'Goal:', lines: goal === null ? [] : [line(goal.seq, goalWords(account))], share: 0.25 },
    { title: 'Last request:', lines: saidLines(last, ts), share: 0.2 },
    {
      title: 'Outcome:',
      lines: outcome === null ? [] : [line(outcome.seq, outcomeWords(outcome))],
      share: 0.3,
    },
    { title: 'Open question:', lines: saidLines(question, ts), share: 0.1 },
    {
      title: 'Decided:',
      lines: lastOf(decided, decidedMax, line(0, 'decision'), (one) => line(one.seq, decisionWords(one))),
      share: 0.15,
    },
    { title: 'Noted:', lines: reads.notes(sessionId, notedMax), share: 0.15 },
    { title: openTitle, lines: leftLines(account, ts, line), share: 0.2 },
    {
      title: 'Failed, and not passed since:',
      lines: [...openLines(projectChecks([view]), () => true), ...stuckLines(account, ts)].slice(
        0,
        failuresMax,
      ),
      share: 0.15,
    },
    {
      title: committedTitle,
      lines: lastOf(commits, commitsMax, line(0, 'commit'), ({ seq, hash, text }) =>
        line(seq, hash === null ? text : `${hash} ${text}`),
      ),
      share: 0.15,
    },
    {
      title: account.mayBeMore ? 'Files changed by edits:' : 'Files changed:',
      lines: changedLines(account, line),
      share: 0.15,
    },
    { title: 'Files read:', lines: files.length > 0 ? [] : readLines(account, line), share: 0.1 },
    { title: 'Commands, with their ends:', lines: commandLines(account), share: 0.3 },
  ];
  return { open: [openFiles(view)], sections: withIds(reads, sections) };
}

/** The last `max`, the latest first; a line with the name of one (`what`) says that there are more. */
function lastOf<T>(
  all: readonly T[],
  max: number,
  what: Draft,
  drafted: (one: T) => Draft,
): readonly Draft[] {
  const count = { ...what, text: `${counted(all.length, what.text)}, the last of them:` };
  return [...(all.length > max ? [count] : []), ...all.slice(-max).reverse().map(drafted)];
}

/** What is left to do. */
function leftLines(account: SessionAccount, ts: string, line: LineOf): readonly Draft[] {
  const { plan, left, byHand } = account;
  const steps = plan?.open ?? [];
  return [
    ...(plan === null || steps.length === 0
      ? []
      : [line(plan.seq, `plan steps: ${steps.slice(0, 5).join('; ')}`)]),
    ...saidLines(left, ts, 'next: '),
    ...endLines(account, ts),
    ...saidLines(byHand, ts, 'to check by hand: '),
  ];
}

/** With what it ended, and work that reached no other place. */
function stuckLines({ ended: { stuck, isPushed }, troubles }: SessionAccount, ts: string): readonly Draft[] {
  const pushes = troubles.filter(
    ({ name, isFixed, seq }) => /\bgit push\b/.test(name) && !isFixed && !isPushed && seq !== stuck?.seq,
  );
  return [
    ...(stuck === null ? [] : [failureLine('', stuck)]),
    ...pushes.map(({ seq, name, said }) => failureLine('', { seq, ts, command: name, said })),
  ];
}

type LineOf = (seq: number, text: string) => Draft;

/** The files changed last and most. */
function changedLines({ files, filesCount }: SessionAccount, line: LineOf): readonly Draft[] {
  const kept = files.filter(({ isGone }) => !isGone).slice(0, filesMax);
  const [last] = kept.toSorted((one, other) => other.ts.localeCompare(one.ts));
  if (last === undefined) return [];
  const first = (count: number): string => {
    const left = Math.max(files.length, filesCount) - Math.min(count, kept.length);
    return (
      kept
        .slice(0, count)
        .map(({ path }) => path)
        .join(', ') + (left > 0 ? ` and ${left} more` : '')
    );
  };
  return [{ ...line(last.seq, first(filesMax)), shorter: [first(fewFiles), first(1)] }];
}

function readLines({ looked: { files } }: SessionAccount, line: LineOf): readonly Draft[] {
  return files.length === 0 ? [] : [line(0, files.join(', '))];
}

/** As typed, what ran last and often first. */
function commandLines({ commands, checks }: SessionAccount): readonly Draft[] {
  // What failed and is open is said above, unless its tests are gone.
  const open = new Map(
    checks.flatMap((one) => (one.failed === null ? [] : [[one.failed.seq, one] as const])),
  );
  return commands.flatMap(({ seq, ts, command, end, exit, said }) => {
    const check = end === 'failed' ? open.get(seq) : undefined;
    const without = check === undefined ? [] : filesOfCheck(check);
    if (check !== undefined && without.length === 0) return [];
    const words = end === 'passed' ? 'ok' : `${endWords[end]}${exit === null ? '' : ` (${exit})`}`;
    return [{ seq, ts, text: `\`${command}\` ${words}${said === '' ? '' : `: ${said}`}`, without }];
  });
}
