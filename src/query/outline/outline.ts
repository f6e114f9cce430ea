import { OutlineReads, type Store, type Summary } from '../../memory/store/index.ts';
import type { State } from '../state/index.ts';
import { readCommandLine } from './command-line.ts';
import { failureLine } from './failure-line.ts';
import { handoffSections } from './handoff.ts';
import type { Line, Section } from './line.ts';
import { ProjectReader, type RunRef, SessionView } from './session.ts';
import { outlineText } from './text.ts';

const pinnedMax = 12;
const sessionsMax = 5;
const failureSessionsMax = 3;
const eventsMax = 1_200;
const listedMax = 5;

export interface OutlineRequest {
  /** The session that starts. It is not listed itself, except after a compaction. */
  readonly session: string;
  /** The client's reason: `startup`, `clear`, `resume`, `fork`, `compact` or another word. */
  readonly source: string;
}

/** What an outline says, before states, ages and room are known. Plain data. */
export interface Gathered {
  readonly focus: Section;
  readonly pinned: readonly Pick<Summary, 'id' | 'ts' | 'text' | 'author'>[];
  readonly sections: readonly Section[];
  /** The sessions that `sections` were read from. */
  readonly sessions: readonly string[];
}

/** A resumed or forked session still has its context and gets only focus and pinned memories. */
export function keepsContext({ source }: Pick<OutlineRequest, 'source'>): boolean {
  return source === 'resume' || source === 'fork';
}

/** A compacted session gets its own handoff. */
export function gather(store: Pick<Store, 'connection'>, request: OutlineRequest): Gathered {
  const reads = new OutlineReads(store);
  const kept = { focus: focusSection(reads), pinned: reads.pinned(pinnedMax) };
  if (keepsContext(request)) return { ...kept, sections: [], sessions: [] };
  const { session, source } = request;
  const own = source === 'compact' && session !== '' ? handoffSections(reads, session) : null;
  if (own !== null) return { ...kept, sections: own, sessions: [session] };
  return { ...kept, ...projectSections(reads, session) };
}

export interface Given {
  readonly tokenBudget: number;
  readonly states: ReadonlyMap<number, State>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The outline of at most `tokenBudget` tokens; may be empty. */
export function printed({ focus, pinned, sections }: Gathered, { tokenBudget, states, now }: Given): string {
  if (tokenBudget === 0) return '';
  const dated = sections.map((section) => (section.aged === true ? withAges(section, now) : section));
  return outlineText([focus, pinnedSection(pinned, states), ...dated], tokenBudget);
}

function focusSection(reads: OutlineReads): Section {
  const text = reads.setting('focus');
  const ts = reads.setting('focus.at') ?? '';
  return { title: 'Focus:', lines: text === null ? [] : [{ id: null, ts, text }], share: 1 };
}

/** Without edits of which nothing is left; those that have changed say so. */
function pinnedSection(pinned: Gathered['pinned'], states: ReadonlyMap<number, State>): Section {
  const lines = pinned.flatMap(({ id, ts, text, author }) => {
    const state = states.get(id);
    if (state?.verdict === 'gone') return [];
    const changed = state?.verdict === 'changed' ? `(changed: ${state.detail}) ` : '';
    return { id, ts, author, text: `${changed}${shortened(text)}` };
  });
  return { title: 'Pinned:', lines, share: 0.35 };
}

function withAges(section: Section, now: number): Section {
  const lines = section.lines.map(({ text, shorter, ...line }) => {
    const age = `(${ageOf(Date.parse(line.ts), now)}) `;
    return { ...line, text: age + text, ...(shorter === undefined ? {} : { shorter: age + shorter }) };
  });
  return { ...section, lines };
}

/** In the order in which they are shown. A goal or an outcome has its room before a failure. */
function projectSections(reads: OutlineReads, own: string): Pick<Gathered, 'sections' | 'sessions'> {
  const rows = reads
    .sessions(sessionsMax + 1)
    .filter(({ sessionId }) => sessionId !== own)
    .slice(0, sessionsMax);
  const views = rows.map((row) => new SessionView(row));
  const project = new ProjectReader(views);
  const read = [...rows.map(({ sessionId }) => sessionId), ...(own === '' ? [] : [own])];
  const events = read.flatMap((sessionId) => reads.events(sessionId, eventsMax, false));
  for (const event of events.sort((one, other) => (one.ts < other.ts ? -1 : one.ts > other.ts ? 1 : 0)))
    project.take(event);
  const recent = new Set(rows.slice(0, failureSessionsMax).map(({ sessionId }) => sessionId));
  const isRecent = (run: RunRef | null): run is RunRef => run !== null && recent.has(run.sessionId);
  const { checks } = project;
  const failures = checks
    .open()
    .flatMap(({ name, failed }) => (isRecent(failed) ? [failureLine(name, failed)] : []));
  const stuck = views
    .slice(0, failureSessionsMax)
    .flatMap(({ stuck: run }) => (run === null ? [] : [failureLine('', run)]));
  const obstacles = checks.obstacles().filter(({ run }) => isRecent(run));
  const sections = [
    { title: 'Last sessions:', lines: views.flatMap(sessionLine), share: 0.6, aged: true },
    { title: 'Open work:', lines: views.slice(0, failureSessionsMax).flatMap(openWork), share: 0.15 },
    {
      title: 'How it is built, tested and linted (last passed):',
      lines: checks.howTo().map(({ name, place, run }) => ({
        ...{ id: run.id, ts: run.ts },
        text: `\`${readCommandLine(run.command, name)}\`${place === '' ? '' : ` in ${place}`}`,
      })),
      share: 0.15,
    },
    {
      title: 'Failed, and not passed since:',
      lines: [...failures, ...stuck].slice(0, listedMax),
      share: 0.2,
    },
    {
      title: 'Not found:',
      lines: obstacles.slice(0, listedMax).map(({ missing, run: { id, ts, command } }) => ({
        ...{ id, ts },
        text: `\`${missing}\`, in \`${readCommandLine(command, missing)}\``,
      })),
      share: 0.1,
    },
  ];
  return { sections, sessions: read };
}

/** None for a session of which nothing is known but its calls. */
function sessionLine(view: SessionView, at: number): readonly Line[] {
  const { row } = view;
  const goal = view.goal(at === 0 ? 260 : 150);
  const outcome = view.outcome(at === 0 ? 300 : 170);
  const said = goal === '' ? (row.digest.split('\n', 1)[0] ?? '') : goal;
  if (said === '' && outcome === '') return [];
  const text = outcome === '' ? said : `${said} → ${outcome}`;
  return [{ id: row.id, ts: row.ts, author: row.author, text, shorter: said }];
}

function openWork(view: SessionView, at: number): readonly Line[] {
  const { plan } = view;
  // What was next in older sessions may be done since.
  const next = at === 0 ? view.next() : null;
  const planned =
    plan === null || plan.state.open.length === 0
      ? []
      : [
          {
            ...{ id: plan.event.id, ts: plan.event.ts },
            text: `plan, ${plan.state.done} of ${plan.state.of} steps done; open: ${plan.state.open.slice(0, listedMax).join('; ')}`,
          },
        ];
  const said =
    next?.steps.map((text) => ({ id: next.event.id, ts: next.event.ts, text: `next: ${text}` })) ?? [];
  return [...planned, ...said];
}

/** A pinned memory may be long; it is cut, since its id gives the rest. */
function shortened(text: string): string {
  return text.length <= pinnedCharsMax ? text : `${text.slice(0, pinnedCharsMax - 1)}…`;
}

const pinnedCharsMax = 240;

function ageOf(then: number, now: number): string {
  const hours = Math.max(0, (now - then) / 3_600_000);
  if (Number.isNaN(hours)) return 'at an unknown time';
  if (hours < 1) return 'within the last hour';
  return hours < 48 ? `${Math.floor(hours)} h ago` : `${Math.floor(hours / 24)} days ago`;
}
