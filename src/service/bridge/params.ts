import { type MemoryKind, memoryKinds } from '../../core/event/index.ts';
import { Failure } from '../../core/platform/index.ts';
import type { StepCursor } from '../../memory/store/index.ts';
import { sinceMs, untilMs } from '../../query/when/index.ts';
import { placeOf, sessionPlaceOf, timeOf } from './cursor.ts';
import type { ReaderOps } from './reader/reads.ts';

const bridgePageMax = 200;
const bridgePageDefault = 50;
const bridgeStepsMax = 500;
const bridgeGraphDepthMax = 3;
const bridgeStatesMax = 50;
const bridgeParamCharsMax = 1_024;

type ArgumentsOf<Op extends keyof ReaderOps> = Parameters<ReaderOps[Op]>[0];

// The arguments in a query string. Each throws Failure `bad_request` naming the parameter; unknown ones are ignored.

export function summaries(query: string): ArgumentsOf<'summaries'> {
  const params = new Params(query);
  return {
    limit: params.whole('limit', 1, bridgePageMax) ?? bridgePageDefault,
    before: params.as('before', placeOf, 'a cursor, an id or an ISO 8601 time'),
    session: params.text('session'),
    tool: params.text('tool'),
    kinds: params.as('kind', kindsOf, `one or more of ${memoryKinds.join(', ')}, with commas`),
    client: params.text('client'),
    file: params.text('file'),
    failed: params.as('failed', flagOf, 'true or false') ?? false,
    since: bound(params, 'since', sinceMs),
    until: bound(params, 'until', untilMs),
    pinned: params.whole('pinned', 0, 1) === 1,
  };
}

export function graph(query: string): ArgumentsOf<'graph'> {
  const params = new Params(query);
  return { id: numberIn(params, 'id'), depth: params.whole('depth', 1, bridgeGraphDepthMax) ?? 1 };
}

export function sessions(query: string): ArgumentsOf<'sessions'> {
  const params = new Params(query);
  return {
    limit: params.whole('limit', 1, bridgePageMax) ?? bridgePageDefault,
    before: params.as('before', sessionPlaceOf, 'a cursor or an ISO 8601 time'),
    file: params.text('file'),
  };
}

export function session(query: string): ArgumentsOf<'session'> {
  const params = new Params(query);
  return {
    session: needed(params, 'id'),
    after: params.as('after', stepPlaceOf, 'a cursor'),
    limit: params.whole('limit', 1, bridgeStepsMax) ?? bridgePageMax,
  };
}

export function change(query: string): ArgumentsOf<'change'> {
  const params = new Params(query);
  return { session: needed(params, 'id'), path: needed(params, 'path') };
}

export function event(query: string): ArgumentsOf<'event'> {
  return { seq: numberIn(new Params(query), 'seq') };
}

export function standing(query: string): string {
  return needed(new Params(query), 'id');
}

export function standings(query: string): string[] {
  const ids = new URLSearchParams(query).getAll('id');
  if (ids.length === 0 || ids.length > bridgeStatesMax)
    throw new Failure('bad_request', `id: it must be given 1 to ${bridgeStatesMax} times`);
  return ids;
}

export function file(query: string): ArgumentsOf<'file'> {
  return { path: needed(new Params(query), 'path') };
}

export function timeline(query: string): ArgumentsOf<'timeline'> {
  return { id: numberIn(new Params(query), 'id') };
}

/** Ids with commas. */
export function states(query: string): { ids: number[]; file: string | null } {
  const params = new Params(query);
  const ids = needed(params, 'ids').split(',').map(Number);
  if (ids.length > bridgeStatesMax || !ids.every((id) => Number.isSafeInteger(id) && id > 0))
    throw new Failure('bad_request', `ids: at most ${bridgeStatesMax} ids with commas`);
  return { ids, file: params.text('file') };
}

/** @throws Failure `bad_request` with the valid forms */
function bound(
  params: Params,
  name: 'since' | 'until',
  read: (text: string, nowMs: number) => number,
): string | null {
  const text = params.text(name);
  if (text === null) return null;
  const exact = text.includes('T') ? timeOf(text) : null;
  return exact ?? new Date(read(text, Date.now())).toISOString();
}

function numberIn(params: Params, name: 'id' | 'seq'): number {
  const number = params.whole(name, 1, Number.MAX_SAFE_INTEGER);
  if (number === null) throw new Failure('bad_request', `${name}: it must be given`);
  return number;
}

function needed(params: Params, name: string): string {
  const value = params.text(name);
  if (value === null) throw new Failure('bad_request', `${name}: it must be given`);
  return value;
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

class Params {
  readonly #given: URLSearchParams;

  constructor(query: string) {
    this.#given = new URLSearchParams(query);
  }

  /** An empty text counts as missing. */
  text(name: string): string | null {
    const [value, ...more] = this.#given.getAll(name);
    if (more.length > 0) throw new Failure('bad_request', `${name}: it must be given once`);
    if (value !== undefined && value.length > bridgeParamCharsMax)
      throw new Failure('bad_request', `${name}: it may have ${bridgeParamCharsMax} characters at most`);
    return value || null;
  }

  as<T>(name: string, read: (text: string) => T | null, mustBe: string): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = read(text);
    if (value === null) throw new Failure('bad_request', `${name}: it must be ${mustBe}`);
    return value;
  }

  whole(name: string, min: number, max: number): number | null {
    const read = (text: string): number | null => {
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : null;
    };
    return this.as(name, read, `a whole number from ${min} to ${max}`);
  }
}
