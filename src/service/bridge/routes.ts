import type { IncomingMessage } from 'node:http';
import { isObject, type Json, type JsonObject } from '#core/event';
import { bridgeBodyBytesMax } from '#core/limits';
import { Failure } from '#core/platform';
import { type Answer, json, refused } from './answer.ts';
import type { Target } from './guard.ts';
import { type Given, parametersIn, readsOf, standings as standingsIn, states as statesIn } from './params.ts';
import type { Reader } from './reader/reader.ts';

/** What the routes need from the rest of the daemon. None of it writes. */
export interface Sources {
  /** The object of `memd info --json`. */
  readonly status: () => Promise<object>;
  /** The memories of the namespace. */
  readonly projects: () => Promise<object>;
  /** @throws Failure `bad_request` */
  readonly search: (request: JsonObject) => Promise<object>;
  /** Null when the memory does not exist. @throws Failure `bad_request` */
  readonly why: (request: JsonObject) => Promise<object | null>;
  /** By id, whether memories still hold in the working tree; with a file, also in which commit its edits are. */
  readonly states: (request: {
    readonly ids: readonly number[];
    readonly file?: string | null;
  }) => Promise<ReadonlyMap<number, object>>;
  /** What git says of the open work of a session. */
  readonly standing: (session: string) => Promise<object>;
  /** The same of several, by id; of those that git knew in time. */
  readonly standings: (sessions: readonly string[]) => Promise<ReadonlyMap<string, object>>;
}

type Body = object | Uint8Array | null;

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly answer: (target: Target, request: IncomingMessage) => Promise<Answer>;
}

/** The routes below `/api/` by path. `/api/stream` and `/api/unlock` belong to the server. `settled` comes before each of them. */
export function routesOf(
  { status, projects, search, why, states, standing, standings }: Sources,
  reader: Pick<Reader, 'call'>,
  settled: () => Promise<void>,
): (path: string) => Route | null {
  const get = (read: (given: Given) => Promise<Body>): Route => ({
    method: 'GET',
    answer: async ({ query }) => {
      await settled();
      return answerWith(await read(parametersIn(query)));
    },
  });
  const post = (ask: (body: JsonObject) => Promise<Body>): Route => ({
    method: 'POST',
    answer: async (_target, request) => {
      const body = await objectIn(request);
      await settled();
      return answerWith(await ask(body));
    },
  });
  const gets = {
    ...readsOf(reader),
    ...{ status, projects },
    tools: () => reader.call('tools'),
    states: async (given: Given) => ({ states: Object.fromEntries(await states(statesIn(given))) }),
    standing: async (given: Given) => standing(given.needed('id')),
    standings: async (given: Given) => ({
      standings: Object.fromEntries(await standings(standingsIn(given))),
    }),
  };
  const fixed: ReadonlyMap<string, Route> = new Map([
    ...Object.entries(gets).map(([name, read]) => [`/api/${name}`, get(read)] as const),
    ...Object.entries({ search, why }).map(([name, ask]) => [`/api/${name}`, post(ask)] as const),
  ]);
  return (path) => {
    const [, id] = /^\/api\/summaries\/([1-9]\d{0,14})$/.exec(path) ?? [];
    if (id === undefined) return fixed.get(path) ?? null;
    return get(async () => {
      const state = (await states({ ids: [Number(id)] })).get(Number(id)) ?? null;
      return reader.call('summary', { id: Number(id), state });
    });
  };
}

/** A route's answer, or its refusal: the method (405), then the body's length (413). HEAD answers as GET. */
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

function answerWith(body: Body): Answer {
  if (body === null) return refused(404, 'not_found', 'nothing here has this id');
  return json(body instanceof Uint8Array ? body : JSON.stringify(body));
}

/** Refuses by its declared length, before reading. @throws Failure `too_large` */
function checkLength(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > bridgeBodyBytesMax) throw tooLarge();
}

/** The JSON object in a request's body. @throws Failure `too_large`, `bad_request`, `gone` */
async function objectIn(request: IncomingMessage): Promise<JsonObject> {
  const bytes = await bodyOf(request);
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Failure('bad_request', 'the body is not JSON in UTF-8');
  }
  if (isObject(value)) return value;
  throw new Failure('bad_request', 'the body must be a JSON object');
}

function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= bridgeBodyBytesMax) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      reject(tooLarge());
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => reject(new Failure('gone', 'the request was aborted')));
    request.once('error', () => reject(new Failure('gone', 'the request was aborted')));
  });
}

function tooLarge(): Failure {
  return new Failure('too_large', `a body has at most ${bridgeBodyBytesMax} bytes`);
}
