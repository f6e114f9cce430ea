import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../../core/event/index.ts';
import { type Answer, json, refused } from './answer.ts';
import { checkLength, objectIn } from './body.ts';
import type { Target } from './guard.ts';
import { reads } from './params.ts';
import type { ReadRequest } from './reader/messages.ts';

/** What the routes ask of the rest of the daemon. None of it writes. */
export interface Sources {
  /** What `memd info --json` says. */
  readonly status: () => Promise<object>;
  /** @throws Failure `bad_request` */
  readonly search: (request: JsonObject) => Promise<object>;
  /** Null when there is no such memory. @throws Failure `bad_request` */
  readonly why: (request: JsonObject) => Promise<object | null>;
  readonly read: (request: ReadRequest) => Promise<Uint8Array | null>;
}

type Method = 'GET' | 'POST';

export interface Route {
  readonly method: Method;
  readonly answer: (target: Target, request: IncomingMessage) => Promise<Answer>;
}

/** `/api/` and below, by path; `/api/stream` and `/api/unlock` are the server's. */
export function routesOf({ status, search, why, read }: Sources): (path: string) => Route | null {
  const found = async (request: ReadRequest): Promise<Answer> => {
    const body = await read(request);
    return body === null ? memoryNotFound() : json(body);
  };
  const get = (answer: (query: string) => Promise<Answer>): Route => ({
    method: 'GET',
    answer: ({ query }) => answer(query),
  });
  const post = (answer: (body: JsonObject) => Promise<object | null>): Route => ({
    method: 'POST',
    answer: async (_target, request) => {
      const body = await answer(await objectIn(request));
      return body === null ? memoryNotFound() : json(JSON.stringify(body));
    },
  });
  const fixed = new Map<string, Route>([
    ['/api/status', get(async () => json(JSON.stringify(await status())))],
    ['/api/summaries', get(async (query) => found(reads.summaries(query)))],
    ['/api/graph', get(async (query) => found(reads.graph(query)))],
    ['/api/sessions', get(async (query) => found(reads.sessions(query)))],
    ['/api/tools', get(() => found({ kind: 'tools' }))],
    ['/api/search', post(search)],
    ['/api/why', post(why)],
  ]);
  return (path) => {
    const [, id] = /^\/api\/summaries\/([1-9]\d{0,14})$/.exec(path) ?? [];
    if (id !== undefined) return get(() => found({ kind: 'summary', id: Number(id) }));
    return fixed.get(path) ?? null;
  };
}

/** A route's answer, or why there is none: the method (405), then the body's length (413). HEAD answers as GET. */
export async function answerOf(
  route: Pick<Route, 'method'> & Partial<Route>,
  target: Target,
  request: IncomingMessage,
): Promise<Answer | null> {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method !== route.method) {
    const allow = route.method === 'GET' ? 'GET, HEAD' : route.method;
    return refused(405, 'method_not_allowed', `only ${allow} here`, { Allow: allow });
  }
  checkLength(request);
  return (await route.answer?.(target, request)) ?? null;
}

function memoryNotFound(): Answer {
  return refused(404, 'not_found', 'there is no such memory');
}
