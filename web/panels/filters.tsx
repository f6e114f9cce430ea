import { useMemo } from 'preact/hooks';
import { toolWords } from '../parts/marks.tsx';
import { dayWith } from '../parts/near-days.tsx';
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
      <Time route={route} set={set} />
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

/** A span up to now, or a day in its place. */
export function Time({ route, set }: DayProps) {
  const { since } = route;
  return (
    <>
      {(since === '' || isSpan(since)) && (
        <Select label="Time" value={since} choose={(span) => set({ since: span, until: '' })}>
          {spans.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Day route={route} set={set} />
    </>
  );
}

/** Only what is from one day of the calendar. */
function Day({ route: { since }, set }: DayProps) {
  const value = isSpan(since) ? '' : isoDay(since);
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

/** Such as `7d`. */
function isSpan(since: string): boolean {
  return /^\d+[hd]$/.test(since);
}

/** The chosen tool is in the list even when no memory has it yet. */
function withChosen(tools: readonly ToolCount[], chosen: string) {
  return chosen === '' || tools.some(({ tool }) => tool === chosen)
    ? tools
    : [{ tool: chosen, count: 0 }, ...tools];
}

export function oneDay(date: string): Pick<Route, 'since' | 'until'> {
  return date === '' ? { since: '', until: '' } : dayWith(Date.parse(`${date}T00:00:00`));
}

function isoDay(ts: string): string {
  const at = new Date(ts);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
