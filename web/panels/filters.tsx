import { useMemo } from 'preact/hooks';
import { toolWords } from '../parts/marks.tsx';
import { go, type Route } from '../route.ts';
import type { Session, ToolCount } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { visibleText } from '../text/visible.ts';
import { dayAndYear, shortId } from '../text/words.ts';

const spans: readonly (readonly [string, string])[] = [
  ['', 'any time'],
  ['1h', 'the last hour'],
  ['24h', 'the last 24 hours'],
  ['7d', 'the last 7 days'],
  ['30d', 'the last 30 days'],
  ['90d', 'the last 90 days'],
];

const unset = { kind: '', session: '', tool: '', since: '', until: '' };

/** Kind, tool, session and time, for the list and for a search; what is set stands in the address. */
export function Filters({
  route,
  tools,
  sessions,
}: {
  route: Route;
  tools: readonly ToolCount[];
  sessions: readonly Session[];
}) {
  const isSet = Object.keys(unset).some((key) => route[key as keyof typeof unset] !== '');
  const set = (change: Partial<Route>): void => go({ ...change, open: null });
  const toolNames = useMemo(() => withChosen(tools, route.tool), [tools, route.tool]);
  return (
    <search class="filters" aria-label="Filters">
      <Select label="Kind" value={route.kind} choose={(kind) => set({ kind })}>
        <option value="">all kinds</option>
        <option value="call">tool calls</option>
        <option value="message">messages</option>
        {(route.query !== '' || route.kind === 'session') && <option value="session">sessions</option>}
      </Select>
      <Select label="Tool" value={route.tool} choose={(tool) => set({ tool })}>
        <option value="">all tools</option>
        {toolNames.map(({ tool, count }) => (
          <option key={tool} value={tool}>
            {toolWords(tool)} {count > 0 ? `(${count})` : ''}
          </option>
        ))}
      </Select>
      <Select label="Session" value={route.session} choose={(session) => set({ session })}>
        <option value="">all sessions</option>
        {route.session !== '' && !sessions.some(({ sessionId }) => sessionId === route.session) && (
          <option value={route.session}>{visibleText(shortId(route.session))}</option>
        )}
        {sessions.map(({ sessionId, brief }) => (
          <option key={sessionId} value={sessionId}>
            {visibleText(`${shortId(sessionId)} ${oneLine(brief?.title ?? '', 48)}`)}
          </option>
        ))}
      </Select>
      <Time route={route} set={set} dayName={dayOf} />
      {isSet && (
        <button type="button" class="plain" onClick={() => set(unset)}>
          Clear
        </button>
      )}
    </search>
  );
}

interface DayProps {
  readonly route: Route;
  readonly set: (change: Partial<Route>) => void;
}

/** A span up to now, or a day, which the list of spans calls by `dayName`. */
export function Time({ route, set, dayName }: DayProps & { dayName: (since: string) => string }) {
  const { since } = route;
  return (
    <>
      <Select label="Time" value={since} choose={(span) => set({ since: span, until: '' })}>
        {spans.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        {since !== '' && spanMs(since) === null && <option value={since}>{dayName(since)}</option>}
      </Select>
      <Day route={route} set={set} />
    </>
  );
}

/** Only what is from one day of the calendar. */
function Day({ route: { since }, set }: DayProps) {
  const value = since !== '' && spanMs(since) === null ? isoDay(since) : '';
  return (
    <label class={value === '' ? 'day' : 'day set'}>
      <span class="unseen">On one day</span>
      <span class="day-shown" aria-hidden="true">
        {value === '' ? 'any day' : dayAndYear(value)}
      </span>
      <input
        type="date"
        value={value}
        onClick={(event) => event.currentTarget.showPicker?.()}
        onChange={(event) => set(oneDay(event.currentTarget.value))}
      />
    </label>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choose: (value: string) => void;
  readonly children: preact.ComponentChildren;
}

export function Select({ label, value, choose, children }: SelectProps) {
  return (
    <span class={value === '' ? 'select' : 'select set'}>
      <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {children}
      </select>
    </span>
  );
}

/** The length of a span such as `7d`; null for anything else. */
export function spanMs(since: string): number | null {
  const [, many, unit] = /^(\d+)([hd])$/.exec(since) ?? [];
  return many === undefined ? null : Number(many) * (unit === 'h' ? 3_600_000 : 86_400_000);
}

/** The chosen tool is in the list even when no memory has it yet. */
function withChosen(tools: readonly ToolCount[], chosen: string) {
  return chosen === '' || tools.some(({ tool }) => tool === chosen)
    ? tools
    : [{ tool: chosen, count: 0 }, ...tools];
}

export function oneDay(date: string): Pick<Route, 'since' | 'until'> {
  if (date === '') return { since: '', until: '' };
  const start = new Date(`${date}T00:00:00`);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { since: start.toISOString(), until: end.toISOString() };
}

function isoDay(ts: string): string {
  const at = new Date(ts);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function dayOf(ts: string): string {
  const day = isoDay(ts);
  return day === '' ? 'from a moment on' : dayAndYear(day);
}
