import { type MemoryKind, memoryKinds } from '#core/event';
import { Failure } from '#core/platform';
import type { StepCursor } from '#memory/store';
import { sinceMs, untilMs } from '#query/when';
import { placeOf, sessionPlaceOf, timeOf } from './cursor.ts';
import type { Reader } from './reader/reader.ts';

const bridgePageMax = 200;
const bridgePageDefault = 50;
const bridgeStepsMax = 500;
const bridgeGraphDepthMax = 3;
const bridgeStatesMax = 50;
const bridgeParamCharsMax = 1_024;

/** The reader's operations with their arguments from the parameters of a query string; unknown ones are ignored. */
export function readsOf(reader: Pick<Reader, 'call'>) {
  return {
    summaries: (given: Given) =>
      reader.call('summaries', {
        limit: given.whole('limit', 1, bridgePageMax) ?? bridgePageDefault,
        before: given.as('before', placeOf, 'a cursor, an id or an ISO 8601 time'),
        session: given.text('session'),
        tool: given.text('tool'),
        kinds: given.as('kind', kindsOf, `one or more of ${memoryKinds.join(', ')}, with commas`),
        client: given.text('client'),
        file: given.text('file'),
        failed: given.as('failed', flagOf, 'true or false') ?? false,
        since: bound(given, 'since', sinceMs),
        until: bound(given, 'until', untilMs),
        pinned: given.whole('pinned', 0, 1) === 1,
      }),
    graph: (given: Given) =>
      reader.call('graph', {
        id: given.number('id'),
        depth: given.whole('depth', 1, bridgeGraphDepthMax) ?? 1,
      }),
    timeline: (given: Given) => reader.call('timeline', { id: given.number('id') }),
    sessions: (given: Given) =>
      reader.call('sessions', {
        limit: given.whole('limit', 1, bridgePageMax) ?? bridgePageDefault,
        before: given.as('before', sessionPlaceOf, 'a cursor or an ISO 8601 time'),
        file: given.text('file'),
      }),
    session: (given: Given) =>
      reader.call('session', {
        session: given.needed('id'),
        after: given.as('after', stepPlaceOf, 'a cursor'),
        limit: given.whole('limit', 1, bridgeStepsMax) ?? bridgePageMax,
      }),
    change: (given: Given) =>
      reader.call('change', { session: given.needed('id'), path: given.needed('path') }),
    event: (given: Given) => reader.call('event', { seq: given.number('seq') }),
    file: (given: Given) => reader.call('file', { path: given.needed('path') }),
  };
}

export function standings({ all }: Given): string[] {
  const ids = all.getAll('id');
  if (ids.length === 0 || ids.length > bridgeStatesMax)
    throw refused('id', `given 1 to ${bridgeStatesMax} times`);
  return ids;
}

/** Ids with commas. */
export function states(given: Given): { ids: number[]; file: string | null } {
  const ids = given.needed('ids').split(',').map(Number);
  if (ids.length > bridgeStatesMax || !ids.every((id) => Number.isSafeInteger(id) && id > 0))
    throw new Failure('bad_request', `ids: at most ${bridgeStatesMax} ids with commas`);
  return { ids, file: given.text('file') };
}

/** @throws Failure `bad_request` with the valid forms */
function bound(
  given: Given,
  name: 'since' | 'until',
  read: (text: string, nowMs: number) => number,
): string | null {
  const text = given.text(name);
  if (text === null) return null;
  const exact = text.includes('T') ? timeOf(text) : null;
  return exact ?? new Date(read(text, Date.now())).toISOString();
}

function stepPlaceOf(text: string): StepCursor | null {
  const place = placeOf(text);
  return place !== null && 'ts' in place && place.id !== null ? { ts: place.ts, seq: place.id } : null;
}

function kindsOf(text: string): MemoryKind[] | null {
  const names = text.split(',');
  const kinds = memoryKinds.filter((kind) => names.includes(kind));
  return kinds.length === names.length ? kinds : null;
}

function flagOf(text: string): boolean | null {
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : null;
}

export type Given = ReturnType<typeof parametersIn>;

/** Each reader throws Failure `bad_request` that names the parameter. An empty text counts as missing. */
export function parametersIn(query: string) {
  const all = new URLSearchParams(query);
  const text = (name: string): string | null => {
    const [value, ...more] = all.getAll(name);
    if (more.length > 0) throw refused(name, 'given once');
    if (value !== undefined && value.length > bridgeParamCharsMax)
      throw new Failure('bad_request', `${name}: it may have ${bridgeParamCharsMax} characters at most`);
    return value || null;
  };
  const as = <T>(name: string, read: (text: string) => T | null, form: string): T | null => {
    const found = text(name);
    if (found === null) return null;
    return orRefused(read(found), name, form);
  };
  const whole = (name: string, min: number, max: number): number | null => {
    const read = (digits: string): number | null => {
      const value = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
      return value >= min && value <= max ? value : null;
    };
    return as(name, read, `a whole number from ${min} to ${max}`);
  };
  return {
    ...{ all, text, as, whole },
    needed: (name: string) => orRefused(text(name), name, 'given'),
    number: (name: string) => orRefused(whole(name, 1, Number.MAX_SAFE_INTEGER), name, 'given'),
  };
}

function orRefused<T>(value: T | null, name: string, form: string): T {
  if (value === null) throw refused(name, form);
  return value;
}

function refused(name: string, mustBe: string): Failure {
  return new Failure('bad_request', `${name}: it must be ${mustBe}`);
}
