import {
  decisionWords,
  endWords,
  goalWords,
  type SessionAccount,
  type SessionAccounts,
} from '../../memory/account/index.ts';
import { OutlineReads, type Store, sessionNamed } from '../../memory/store/index.ts';
import { committedTitle, type Gathered, openFiles, openTitle, shown } from './gathered.ts';
import type { Line } from './line.ts';
import { type Ids, openLines, saidLine } from './lines.ts';
import { projectChecks } from './project.ts';
import { framedLines, outlineLines } from './text.ts';

export const handoffTokens = 600;
const decidedMax = 5;
const failuresMax = 4;
const filesMax = 12;
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
  const checks = projectChecks([view]);
  const ids = reads.idsOf(seqsOf(account));
  const line = (seq: number, text: string): Line => saidLine(ids, { seq, text }, row.ts);
  const goal = goalWords(account);
  const { goal: asked, last, outcome, question, decided, plan, left, ended } = account;
  const steps = plan?.open ?? [];
  return {
    open: [openFiles(view)],
    sections: [
      ...(row.author === undefined
        ? []
        : [
            {
              title: 'Recorded on another device, by:',
              lines: [{ id: null, ts: row.ts, text: row.author }],
              share: 1,
            },
          ]),
      { title: 'Goal:', lines: asked === null ? [] : [line(asked.seq, goal)], share: 0.25 },
      { title: 'Last request:', lines: last === null ? [] : [line(last.seq, last.text)], share: 0.2 },
      { title: 'Outcome:', lines: outcome === null ? [] : [line(outcome.seq, outcome.text)], share: 0.3 },
      {
        title: 'Open question:',
        lines: question === null ? [] : [line(question.seq, question.text)],
        share: 0.1,
      },
      {
        title: 'Decided:',
        lines: decided
          .slice(-decidedMax)
          .reverse()
          .map((one) => line(one.seq, decisionWords(one))),
        share: 0.15,
      },
      {
        title: openTitle,
        lines: [
          ...(plan === null || steps.length === 0
            ? []
            : [line(plan.seq, `plan steps: ${steps.slice(0, 5).join('; ')}`)]),
          ...left.map(({ seq, text }) => line(seq, `next: ${text}`)),
          ...ended.during.slice(0, 1).map(({ seq, text }) => line(seq, `ended in the middle of: ${text}`)),
          ...account.byHand.map(({ seq, text }) => line(seq, `to check by hand: ${text}`)),
        ],
        share: 0.2,
      },
      {
        title: 'Failed, and not passed since:',
        lines: openLines(ids, checks, () => true).slice(0, failuresMax),
        share: 0.15,
      },
      {
        title: committedTitle,
        lines: account.commits
          .slice(-commitsMax)
          .map(({ seq, hash, text }) => line(seq, hash === null ? text : `${hash} ${text}`)),
        share: 0.15,
      },
      { title: 'Files changed:', lines: changedLines(account, line), share: 0.15 },
      { title: 'Files read:', lines: account.files.length > 0 ? [] : readLines(account, line), share: 0.1 },
      { title: 'Commands, with their ends:', lines: commandLines(account, ids), share: 0.3 },
    ],
  };
}

function seqsOf({
  goal,
  last,
  outcome,
  question,
  decided,
  plan,
  left,
  ended,
  byHand,
  checks,
  files,
  commands,
  commits,
}: SessionAccount): number[] {
  const said = [goal, last, outcome, question, plan].flatMap((one) => (one === null ? [] : [one]));
  return [
    ...said,
    ...decided,
    ...left,
    ...byHand,
    ...ended.during,
    ...files.slice(0, filesMax),
    ...commands,
    ...commits,
  ]
    .map(({ seq }) => seq)
    .concat(checks.map(({ failed }) => failed?.seq ?? 0));
}

type LineOf = (seq: number, text: string) => Line;

/** The files changed last and most. */
function changedLines({ files }: SessionAccount, line: LineOf): readonly Line[] {
  const kept = files.filter(({ isGone }) => !isGone).slice(0, filesMax);
  const [last] = kept;
  if (last === undefined) return [];
  const names = kept.map(({ path }) => path).join(', ');
  const more = files.length > kept.length ? ` and ${files.length - kept.length} more` : '';
  return [line(last.seq, `${names}${more}`)];
}

function readLines({ looked: { files } }: SessionAccount, line: LineOf): readonly Line[] {
  return files.length === 0 ? [] : [line(0, files.join(', '))];
}

/** As typed, what ran last and often first. */
function commandLines({ commands }: SessionAccount, ids: Ids): readonly Line[] {
  return commands.map(({ seq, ts, command, end, exit, said }) => {
    const words = end === 'passed' ? 'ok' : `${endWords[end]}${exit === null ? '' : ` (${exit})`}`;
    return saidLine(ids, { seq, text: `\`${command}\` ${words}${said === '' ? '' : `: ${said}`}` }, ts);
  });
}
