import { addStretch, workApart, workMsIn } from '../../src/core/event/work.ts';
import type { Session } from '../shapes.ts';

/** Times and amounts in words. The language is the page's, the zone is the reader's. */
const day = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const grouped = new Intl.NumberFormat('en-US');

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export function count(value: number): string {
  return grouped.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function clock(ts: string): string {
  const ms = Date.parse(ts);
  return Number.isNaN(ms) ? '--:--' : clockFormat.format(ms);
}

export function fullTime(ts: string): string {
  const ms = Date.parse(ts);
  return Number.isNaN(ms) ? ts : full.format(ms);
}

const dayOfMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

const ofYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** `24 Jul 2026`, of a day as `YYYY-MM-DD`. */
export function dayAndYear(isoDate: string): string {
  return ofYear.format(Date.parse(`${isoDate}T00:00:00`));
}

/** `Today`, or the day without its year. */
export function shortDay(ts: string, nowMs: number): string {
  const name = dayName(ts, nowMs);
  const ms = Date.parse(ts);
  return /^(?:Today|No)/.test(name) || Number.isNaN(ms) ? name : dayOfMonth.format(ms);
}

/** `Today`, `Yesterday`, or the date. */
export function dayName(ts: string, nowMs: number): string {
  const ms = Date.parse(ts);
  if (Number.isNaN(ms)) return 'No date';
  const daysBack = Math.round((startOfDay(nowMs) - startOfDay(ms)) / dayMs);
  if (daysBack === 0) return 'Today';
  return daysBack === 1 ? 'Yesterday' : day.format(ms);
}

export function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

/** `3 min ago`, in the largest unit of which there is one. */
export function ago(ts: string, nowMs: number): string {
  const ms = nowMs - Date.parse(ts);
  if (Number.isNaN(ms)) return 'at an unknown time';
  return ms < minuteMs ? 'just now' : `${largest(ms)} ago`;
}

/** The same; after a week the day and the time. */
export function when(ts: string, nowMs: number): string {
  const ms = Date.parse(ts);
  if (!(nowMs - ms > 7 * dayMs)) return ago(ts, nowMs);
  const isOfYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  return `${(isOfYear ? dayOfMonth : ofYear).format(ms)}, ${clock(ts)}`;
}

function largest(ms: number): string {
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h`;
  return plural(Math.floor(ms / dayMs), 'day');
}

export function span(ms: number): string {
  if (Number.isNaN(ms)) return 'unknown';
  if (ms < minuteMs) return `${Math.max(0, Math.floor(ms / 1000))} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  const minutes = Math.floor((ms % hourMs) / minuteMs);
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h${minutes === 0 ? '' : ` ${minutes} min`}`;
  return ms < 2 * dayMs ? `1 day ${Math.floor((ms % dayMs) / hourMs)} h` : `${Math.floor(ms / dayMs)} days`;
}

/** `31 min of work in 5 h 1 min`; one figure where there were few pauses. */
export function took(workMs: number | undefined, wallMs: number): string {
  const work = workApart(workMs, wallMs);
  return work === null ? span(wallMs) : `${span(work)} of work in ${span(wallMs)}`;
}

/** Of the times of events, oldest first. */
export function workingMs(times: readonly string[]): number {
  const worked: [number, number][] = [];
  for (const ms of times.map((ts) => Date.parse(ts))) addStretch(worked, [ms, ms]);
  return workMsIn(worked);
}

export function ageInWords(days: number): string {
  return span(days * dayMs);
}

export function size(chars: number): string {
  if (chars < 1_000) return `${chars} characters`;
  return chars < 1_000_000 ? `${(chars / 1_000).toFixed(0)} kB` : `${(chars / 1_000_000).toFixed(1)} MB`;
}

/** As the commands say it. */
export function bytes(value: number): string {
  return `${(value / 1_048_576).toFixed(1)} MiB`;
}

/** The part of a session's or event's id that identifies it. */
export function shortId(id: string): string {
  return id.length > 12 ? id.slice(0, id.startsWith('ev_') ? 11 : 8) : id;
}

/** The headline of a session, also of one that has none. */
export function sessionName({ sessionId, brief }: Pick<Session, 'sessionId' | 'brief'>): string {
  return brief?.title || `Session ${shortId(sessionId) || 'without an id'}`;
}
