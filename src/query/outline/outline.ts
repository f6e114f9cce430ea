import { noteTool } from '#core/event';
import { clipped } from '#core/text';
import { type CheckRun, isAbout, type SessionAccounts } from '#memory/account';
import { OutlineReads, type SessionRow, type Store } from '#memory/store';
import { readCommandLine } from './command-line.ts';
import { type Gathered, type Given, openFiles, openTitle, shown } from './gathered.ts';
import { handoffSections } from './handoff.ts';
import { quartersOf, type Section } from './line.ts';
import {
  type Draft,
  type DraftSection,
  endLines,
  failureLine,
  openLines,
  saidLines,
  withIds,
} from './lines.ts';
import { projectChecks, type SessionView } from './project.ts';
import { sessionLine } from './session-line.ts';
import { framedLines, outlineLines } from './text.ts';

const pinnedMax = 12;
const sessionsMax = 5;
export const rowsMax = 40;
const failureSessionsMax = 3;
const listedMax = 5;
const openDaysMax = 30;

export interface OutlineRequest {
  /** The session that starts. It is not listed itself, except after a compaction. */
  readonly session: string;
  /** The client's reason: `startup`, `clear`, `resume`, `fork`, `compact` or another word. */
  readonly source: string;
  /** Its folder. */
  readonly cwd?: string | undefined;
}

export interface Outline {
  readonly text: string;
  readonly ids: readonly number[];
}

/** A resumed or forked session still has its context and gets only focus and pinned memories. */
export function keepsContext({ source }: Pick<OutlineRequest, 'source'>): boolean {
  return source === 'resume' || source === 'fork';
}

/** A compacted session gets its own handoff. */
export function gather(
  store: Pick<Store, 'connection' | 'digests'>,
  accounts: SessionAccounts,
  request: OutlineRequest,
): Gathered {
  const reads = new OutlineReads(store);
  const kept = { focus: focusSection(reads), pinned: pinnedOf(reads, store) };
  if (keepsContext(request)) return { ...kept, sections: [], open: [], sessions: [] };
  const { session, source } = request;
  const own = source === 'compact' && session !== '' ? handoffSections(reads, accounts, session) : null;
  if (own !== null) return { ...kept, ...own, sessions: [session] };
  return { ...kept, ...projectSections(reads, accounts, session) };
}

/** The outline of at most `tokenBudget` tokens, with the memories that it names; its text may be empty. */
export function printed({ focus, pinned, sections, open }: Gathered, given: Given): Outline {
  const all = [focus, pinnedSection(pinned, given), ...shown(sections, open, given)];
  const chosen = outlineLines(all, given.tokenBudget);
  return { text: framedLines(chosen), ids: chosen.ids };
}

function focusSection(reads: OutlineReads): Section {
  const text = reads.setting('focus');
  const ts = reads.setting('focus.at') ?? '';
  return { title: 'Focus:', lines: text === null ? [] : [{ id: null, ts, text }], share: 1 };
}

function pinnedOf(reads: OutlineReads, { digests }: Pick<Store, 'digests'>): Gathered['pinned'] {
  const sessions = digests.hits(reads.pinnedSessions(pinnedMax));
  const memories = reads.pinned(pinnedMax);
  // What an assistant notes is its claim: it does not begin an outline.
  const claims = memories.filter(({ tool, role }) => tool === noteTool && role === 'assistant');
  const others = [...memories, ...sessions].filter((one) => !claims.some(({ id }) => id === one.id));
  return [...others, ...claims].slice(0, pinnedMax);
}

/** All of them, each with its state where that is not as recorded: many are shortened, as their ids give the rest. */
function pinnedSection(pinned: Gathered['pinned'], { states, tokenBudget }: Given): Section {
  const room = (tokenBudget * 4 * pinnedShare) / Math.max(1, pinned.length) - pinnedMarkQuarters;
  const lines = pinned.map(({ id, ts, text, author, pinnedBy }) => {
    const state = states.get(id);
    const by = pinnedBy === undefined ? '' : `(pinned by ${pinnedBy}) `;
    const lead =
      state?.verdict === 'gone' || state?.verdict === 'changed' ? `(${state.verdict}: ${state.detail}) ` : '';
    return { id, ts, author, text: shortened(`${by}${lead}${text}`, Math.min(room, pinnedQuartersMax)) };
  });
  return { title: 'Pinned:', lines, share: 1 };
}

const pinnedShare = 0.45;
const pinnedQuartersMax = 240;
/** Number, date and line break. */
const pinnedMarkQuarters = 20;

function shortened(text: string, quarters: number): string {
  if (quartersOf(text) <= quarters) return text;
  let end = Math.max(8, Math.floor((text.length * quarters) / quartersOf(text)) - 1);
  while (end > 8 && quartersOf(text.slice(0, end)) >= quarters) end -= 1;
  return clipped(text, end + 1);
}

/** In the order in which they are shown. A goal or an outcome has its room before a failure. */
function projectSections(
  reads: OutlineReads,
  accounts: SessionAccounts,
  own: string,
): Pick<Gathered, 'sections' | 'sessions' | 'open'> {
  const all = viewsOf(reads.sessions(rowsMax), accounts, own);
  const views = all.filter(({ account }) => !account.isAgent);
  const since = new Date(Date.now() - openDaysMax * 86_400_000).toISOString();
  const recent = views.slice(0, failureSessionsMax);
  const oldest = recent.at(-1);
  const current = views.filter(({ ts }) => ts > since);
  const ownAccount = own === '' ? null : accounts.of(own);
  const checks = projectChecks([
    ...all,
    ...(ownAccount === null ? [] : [{ sessionId: own, id: null, ts: '', account: ownAccount }]),
  ]);
  // With those of the agents that worked meanwhile.
  const last = oldest === undefined ? all : all.slice(0, all.indexOf(oldest) + 1);
  const isRecent = ({ sessionId }: { sessionId: string }): boolean =>
    last.some((view) => view.sessionId === sessionId);
  const stuck = recent.flatMap(({ account }, at) => {
    const run = account.ended.stuck;
    const isOpen = run !== null && !recent.slice(0, at).some((later) => isOver(run, later));
    return isOpen ? [failureLine('', run)] : [];
  });
  const sections: DraftSection[] = [
    { title: 'Last sessions:', lines: views.flatMap(sessionLine), share: 0.6, aged: true },
    { title: openTitle, lines: current.slice(0, failureSessionsMax).flatMap(openWork), share: 0.15 },
    {
      title: 'How it is built, tested and linted (last passed):',
      lines: checks.howTo().map(({ name, place, run: { seq, ts, command } }) => ({
        ...{ seq, ts },
        text: `\`${readCommandLine(command, name)}\`${place === '' ? '' : ` in ${place}`}`,
      })),
      share: 0.15,
    },
    {
      title: 'Failed, and not passed since:',
      lines: [...openLines(checks, isRecent), ...stuck].slice(0, listedMax),
      share: 0.2,
    },
    { title: 'Not found:', lines: obstacles(views, recent).slice(0, listedMax), share: 0.1 },
  ];
  return {
    sections: withIds(reads, sections),
    open: current.map(openFiles),
    sessions: [...all.map(({ sessionId }) => sessionId), ...(own === '' ? [] : [own])],
  };
}

/** Whether what a session ended on failed again in a later one, or a later push went through. */
function isOver({ command, said }: CheckRun, { account: { ended } }: SessionView): boolean {
  const { stuck, isPushed } = ended;
  if (isPushed && /\bgit push\b/.test(command)) return true;
  if (stuck === null) return false;
  const isPush = [command, stuck.command].every((one) => /\b(?:git|dolt) push\b/.test(one));
  return isPush || stuck.command === command || (said !== '' && stuck.said === said);
}

/** The last sessions of the user, with those of agents between them: what an agent said is part of another session, what it ran counts. */
export function viewsOf(
  rows: readonly SessionRow[],
  accounts: SessionAccounts,
  own: string,
  most = sessionsMax,
): SessionView[] {
  const views: SessionView[] = [];
  let left = most;
  for (const { sessionId, id, ts, author } of rows) {
    if (left === 0) break;
    const account = sessionId === own ? null : accounts.of(sessionId);
    if (account === null) continue;
    views.push({ sessionId, id, ts, author, account });
    if (!account.isAgent) left -= 1;
  }
  return views;
}

function openWork({ ts, account }: SessionView, at: number, all: readonly SessionView[]): Draft[] {
  const { plan, left, question, outcome } = account;
  const later = all.slice(0, at).flatMap((view) => view.account.commits);
  const steps = (plan?.open ?? []).filter((step) => !later.some(({ text }) => isAbout(text, step)));
  const open = steps.slice(0, listedMax).join('; ');
  const done = (plan?.of ?? 0) - steps.length;
  const planned: Draft[] =
    plan === null || steps.length === 0
      ? []
      : [{ seq: plan.seq, ts, text: `plan, ${done} of ${plan.of} steps done; open: ${open}` }];
  // What was next in older sessions may be done since.
  if (at > 0) return planned;
  const isSaid = ({ text }: { readonly text: string }): boolean =>
    outcome?.text.includes(text) === true || steps.includes(text.replace(/\.$/, ''));
  return [
    ...planned,
    ...saidLines(
      left.filter((said) => !isSaid(said)),
      ts,
      'next: ',
    ),
    ...saidLines(question !== null && isSaid(question) ? null : question, ts, 'open question: '),
    ...endLines(account, ts),
  ];
}

/** Of the last sessions, without what a later one ran. */
function obstacles(views: readonly SessionView[], recent: readonly SessionView[]): readonly Draft[] {
  const ran = (missing: string, after: string): boolean =>
    views.some(({ account: { commands, checks } }) =>
      [
        ...commands,
        ...checks.flatMap(({ passed }) => (passed === null ? [] : [{ ...passed, end: 'passed' as const }])),
      ].some(
        ({ ts, command, end }) =>
          ts > after && end === 'passed' && command.split(/[\s;&|]+/).includes(missing),
      ),
    );
  const all = recent.flatMap(({ account }) => account.missing);
  return all
    .filter(
      ({ missing, ts }, at) => !ran(missing, ts) && all.findIndex((one) => one.missing === missing) === at,
    )
    .map(({ seq, ts, missing, command }) => ({
      ...{ seq, ts },
      text: `\`${missing}\`, in \`${readCommandLine(command, missing)}\``,
    }));
}
