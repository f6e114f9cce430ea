import { Failure } from '../../core/platform/index.ts';
import { placeOf, sessionPlaceOf, timeOf } from './cursor.ts';
import type { ReadRequest } from './reader/messages.ts';

const bridgePageMax = 200;
const bridgeGraphDepthMax = 3;
const bridgeParamCharsMax = 1_024;

type Of<K extends ReadRequest['kind']> = Extract<ReadRequest, { kind: K }>;

/** What a query string asks for; each throws Failure `bad_request` naming the parameter. Unknown ones are ignored. */
export const reads = {
  summaries: (query: string): Of<'summaries'> => {
    const asked = new Params(query);
    return {
      kind: 'summaries',
      limit: asked.whole('limit', 1, bridgePageMax) ?? 50,
      before: asked.as('before', placeOf, 'a cursor, an id or an ISO 8601 time'),
      session: asked.text('session'),
      tool: asked.text('tool'),
      since: asked.as('since', timeOf, 'an ISO 8601 time'),
      until: asked.as('until', timeOf, 'an ISO 8601 time'),
    };
  },
  graph: (query: string): Of<'graph'> => {
    const asked = new Params(query);
    const id = asked.whole('id', 1, Number.MAX_SAFE_INTEGER);
    if (id === null) throw new Failure('bad_request', 'id: it must be given');
    return { kind: 'graph', id, depth: asked.whole('depth', 1, bridgeGraphDepthMax) ?? 1 };
  },
  sessions: (query: string): Of<'sessions'> => {
    const asked = new Params(query);
    return {
      kind: 'sessions',
      limit: asked.whole('limit', 1, bridgePageMax) ?? 50,
      before: asked.as('before', sessionPlaceOf, 'a cursor or an ISO 8601 time'),
    };
  },
} as const;

class Params {
  readonly #given: URLSearchParams;

  constructor(query: string) {
    this.#given = new URLSearchParams(query);
  }

  /** An empty one counts as not given. */
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
