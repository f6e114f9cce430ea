import * as v from 'valibot';
import { type Intake, prepare, prepareText } from '../../capture/intake/index.ts';
import type { Config } from '../../core/config/index.ts';
import type { Json, JsonObject } from '../../core/event/index.ts';
import { pause } from '../../core/platform/index.ts';
import { type Handler, type RequestContext, refusal } from '../../core/rpc/index.ts';
import { importAll } from '../../memory/archive/index.ts';
import type { Engine } from '../engine/index.ts';
import { version } from '../info/index.ts';
import type { Backfiller } from './backfiller.ts';
import { opSchemas } from './op-schemas.ts';

const subscribeIntervalMs = 1_000;
const subscribeRepeatMs = 5_000;

export interface OpsOptions {
  readonly engine: Engine;
  readonly intake: Intake;
  readonly backfiller: Backfiller;
  readonly info: () => Promise<object>;
  /** One line on the worst that is amiss, for whoever begins a session; null: nothing. */
  readonly worst: () => Promise<string | null>;
  /** What is done when a session comes to rest; settles when its digest is written. */
  readonly rest: (session: string) => Promise<void>;
  /** A one-time code for the page, given out over the socket alone. @throws Failure `unavailable` */
  readonly unlock: (asFile: boolean) => object;
  readonly shutdown: () => void;
  readonly recall: Config['inject.recall'];
}

type Op = (request: JsonObject, context: RequestContext) => Promise<object>;

/** The daemon's ops by name (CONTRACT 2): each request is checked here, once, and carried to who does it. */
export function opsHandler(options: OpsOptions): Handler {
  const ops: Readonly<Record<string, Op>> = {
    ping: async () => ({}),
    capture: (request, { frame }) => options.intake.capture(request, frame),
    info: async () => ({ info: await options.info() }),
    unlock: async (request) => options.unlock(checked('unlock', request).file),
    rest: async (request) => {
      await options.rest(checked('rest', request).session);
      return {};
    },
    shutdown: async () => {
      options.shutdown();
      return {};
    },
    backfill: (request, context) => options.backfiller.run(checked('backfill', request), context),
    subscribe: (_request, context) => subscribe(options.engine, context),
    recall: (request) => recallOp(options, request),
    outline: async (request) => {
      const [text, warning] = await Promise.all([
        options.engine.call('outline', checked('outline', request)),
        options.worst(),
      ]);
      return { text, version, warning };
    },
    ...readOps(options.engine),
    ...writeOps(options.engine),
  };
  return async (request, context) => {
    const name = request.op;
    if (typeof name !== 'string') throw refusal('bad_request', 'op must be a text');
    const op = Object.hasOwn(ops, name) ? ops[name] : undefined;
    if (op === undefined) {
      throw refusal('unknown_op', `unknown op ${JSON.stringify(name.slice(0, 60))}`);
    }
    if (name !== 'capture' && name !== 'ping') await options.intake.flush();
    // What an op answers is plain data by construction; the wire's type says no more than that.
    return (await op(request, context)) as JsonObject;
  };
}

/** Search and its explanation, null where there is no such memory; the requests are checked here. */
export function searchOps(engine: Engine) {
  return {
    search: async (request: JsonObject) => {
      const asked = checked('search', request);
      return asked.explain ? engine.call('explained', asked) : { hits: await engine.call('search', asked) };
    },
    why: async (request: JsonObject) => engine.call('why', checked('why', request)),
  };
}

/** A raw call is asked about: what goes on from here is redacted and cut as if it were captured. Nothing of it is kept. */
async function recallOp({ engine, recall }: OpsOptions, request: JsonObject): Promise<object> {
  const { event, asOf = null, ...told } = checked('recall', request);
  if (recall === 'off' || event === 'edit') return { memories: [], text: '' };
  const ts = new Date().toISOString();
  const { input = null, output = '' } = request;
  const raw = { ...told, input, output, toolUseId: null, ts, client: 'unknown', isError: true } as const;
  const { event: call } = prepare(raw);
  return engine.call('recall', { call, asOf });
}

function readOps(engine: Engine): Record<string, Op> {
  const { search, why } = searchOps(engine);
  return {
    search: (request) => search(request),
    why: async (request) => {
      const found = await why(request);
      if (found === null) throw noSuch(request);
      return { why: found };
    },
    get: async (request) => ({ summaries: await engine.call('get', checked('get', request)) }),
    recent: async (request) => ({ summaries: await engine.call('recent', checked('recent', request)) }),
    timeline: async (request) => {
      const timeline = await engine.call('timeline', checked('timeline', request));
      if (timeline === null) throw noSuch(request);
      return timeline;
    },
    graph: (request) => engine.call('graph', checked('graph', request)),
    sessions: async (request) => ({ sessions: await engine.call('sessions', checked('sessions', request)) }),
  };
}

function writeOps(engine: Engine): Record<string, Op> {
  const pin =
    (name: 'pin' | 'unpin'): Op =>
    async (request) => {
      const { id } = checked(name, request);
      if (!(await engine.call('pin', { id, pinned: name === 'pin' }))) throw noSuch(request);
      return {};
    };
  return {
    pin: pin('pin'),
    unpin: pin('unpin'),
    forget: async (request) => {
      const forgotten = await engine.call('forget', checked('forget', request));
      if (forgotten === null) throw noSuch(request);
      return forgotten.kept.length > 0 ? forgotten : {};
    },
    prune: (request) => engine.call('prune', checked('prune', request)),
    import: (request, { interim }) =>
      importAll(
        checked('import', request),
        (step) => engine.call('importPart', step),
        (bytes, bytesTotal) => interim({ progress: { bytes, bytesTotal } }),
      ),
    focus: async (request) => {
      const { text } = checked('focus', request);
      if (text !== undefined) await engine.call('setFocus', { text: text ? prepareText(text) : null });
      return { focus: await engine.call('focus') };
    },
    drain: (request) => engine.call('drain', checked('drain', request)),
  };
}

/**
 * Counts now, at every change and now and then, until the other side is gone: only a write shows that it is, since a
 * half-closed socket (`nc` behind a pipe) may still be listening.
 */
async function subscribe(engine: Engine, { interim, signal }: RequestContext): Promise<object> {
  let last = '';
  let told = 0;
  while (!signal.aborted) {
    const counts = await engine.call('counts');
    const text = JSON.stringify(counts);
    if (text !== last || performance.now() - told >= subscribeRepeatMs) {
      interim({ counts: JSON.parse(text) as Json });
      told = performance.now();
    }
    last = text;
    await pause(subscribeIntervalMs, signal);
  }
  return {};
}

/** @throws Failure `bad_request` naming the field */
function checked<K extends keyof typeof opSchemas>(
  op: K,
  request: JsonObject,
): v.InferOutput<(typeof opSchemas)[K]> {
  // One fault is told; to tell all of a list of forty thousand would hold up everyone for a tenth of a second.
  const result = v.safeParse(opSchemas[op], request, { abortEarly: true });
  if (result.success) return result.output as v.InferOutput<(typeof opSchemas)[K]>;
  const [issue] = result.issues;
  const field = v.getDotPath(issue);
  throw refusal('bad_request', `${op}${field === null ? '' : `: ${field}`}: ${issue.message}`);
}

function noSuch(request: JsonObject): Error {
  return refusal('bad_request', `there is no memory with id ${JSON.stringify(request.id)}`);
}
