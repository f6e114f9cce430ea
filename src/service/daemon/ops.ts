import path from 'node:path';
import * as v from 'valibot';
import { failedCommand, prepare, prepareText, storedId } from '#capture/intake';
import { isObject, type Json, type JsonObject, memoryKinds } from '#core/event';
import { bridgePlace, focusCharsMax } from '#core/limits';
import { type Handler, refusal } from '#core/rpc';
import { importAll } from '#memory/archive';
import { syncStep } from '#memory/replicate';
import { handoffTokens } from '#query/outline';
import { stateBudgetMs } from '#query/state';
import type { Engine } from '#service/engine';
import { version } from '../../core/version.ts';
import { checked, type Op, type OpsContext, op } from './op.ts';
import { subscribe } from './subscribe.ts';

const recentMax = 500;
const timelineWindowMax = 100;
const graphDepthMax = 5;
const timeCharsMax = 64;
const handoffTokensMax = 2_300;
const pageStatesMs = 1_000;
const outlineStatesMs = 1_000;

const ownTools = ['mem_search', 'mem_get', 'mem_timeline', 'mem_why', 'mem_handoff'] as const;

const id = v.pipe(v.number(), v.integer(), v.minValue(1));
const upTo = (max: number) =>
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.transform((value) => Math.min(value, max)),
  );
const time = v.pipe(
  v.string(),
  // A longer text may be a hundred thousand characters, and is not parsed.
  v.check(
    (text) => text.length <= timeCharsMax && !Number.isNaN(Date.parse(text)),
    'must be an ISO 8601 time',
  ),
  // Stored times are compared as text: one form for all.
  v.transform((text) => new Date(text).toISOString()),
);
const optionalText = v.optional(v.string());
const text = v.optional(v.string(), '');
/** A session as it is stored, or its beginning: its id may have held a secret. */
const session = v.pipe(text, v.transform(storedId));
const optionalSession = v.optional(v.pipe(v.string(), v.transform(storedId)));
const flag = v.optional(v.boolean(), false);
const ids = v.pipe(v.array(id), v.maxLength(recentMax));
const kinds = v.optional(v.pipe(v.array(v.picklist(memoryKinds)), v.minLength(1)));
const query = {
  query: v.string(),
  // A higher number than the setting is answered with the setting.
  topK: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  skip: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  ...{ session: optionalSession, tool: optionalText, client: optionalText, file: optionalText, kinds },
  // Read by the search, which knows the clock.
  ...{ since: optionalText, until: optionalText, anytime: flag, failed: flag },
  asOf: v.optional(time),
  // The folder of who asks.
  cwd: optionalText,
};
const searchSchema = v.object({ ...query, explain: flag, sessions: flag, places: flag });
const whySchema = v.object({ ...query, id });

/** The daemon's ops by name. */
const ops: Readonly<Record<string, Op>> = {
  ping: op({}, () => {}),
  capture: op({}, (_, { intake }, { request, frame }) => intake.capture(request, frame)),
  info: op({}, async (_, { info }) => ({ info: await info() })),
  unlock: op(
    { file: flag, place: v.optional(v.pipe(v.string(), v.regex(bridgePlace)), '') },
    ({ file, place }, { unlock }) => unlock(file, place),
  ),
  /** A session pauses or ends. */
  rest: op(
    { session: text, transcript: optionalText, compacts: flag },
    async ({ session: given, transcript, compacts }, { engine, sessionIdle, grown }) => {
      // The transcript has the id as the client wrote it.
      if (transcript !== undefined) await grown({ session: given, file: transcript });
      const session = storedId(given);
      await sessionIdle(session);
      await engine.call('prepareOutlines', { compacted: compacts ? session : '' });
    },
  ),
  /** A hook has spooled what this daemon was too busy to take. */
  spooled: op({}, (_, { background }) => background.spooled()),
  shutdown: op({}, (_, { shutdown }) => shutdown()),
  backfill: op(
    { dir: optionalText, env: v.optional(v.record(v.string(), v.string())), dryRun: flag, progress: flag },
    async (args, { backfill, background }, request) => {
      const result = await backfill(args, request);
      if (!args.dryRun) background.backfilled();
      return result;
    },
  ),
  subscribe: op({}, (_, { engine }, request) => subscribe(engine, request)),
  /** `waitMs`: how long the client waits. */
  outline: op(
    {
      session,
      source: text,
      cwd: optionalText,
      waitMs: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
    },
    async ({ waitMs, ...args }, { engine, worst }) => {
      const checkMs = Math.min(Math.max(waitMs / 4, stateBudgetMs), outlineStatesMs);
      const [outline, warning] = await Promise.all([engine.call('outline', { ...args, checkMs }), worst()]);
      return { ...outline, version, warning };
    },
  ),
  /** A session, or an agent in it, has received these memories. */
  received: op(
    { session, agent: session, kind: v.optional(v.picklist(['outline', 'recall', 'rule']), 'outline'), ids },
    ({ session, agent, kind, ids }, { engine }) =>
      engine.call('gave', { kind, sessionId: session, server: agent, ids }),
  ),
  handoff: op(
    { session, tokens: v.optional(upTo(handoffTokensMax), handoffTokens), cwd: optionalText },
    (args, { engine }) => engine.call('handoff', args),
  ),
  /** A tool has answered an assistant with these memories. `server`: the process that serves its client. */
  given: op(
    {
      tool: v.picklist(ownTools),
      server: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
      ids,
    },
    ({ tool, server, ids }, { engine }) => engine.call('gave', { kind: tool, sessionId: '', server, ids }),
  ),
  /** The call comes unredacted, and is redacted and cut like a captured one. Nothing of it is stored. */
  recall: op(
    {
      // `edit` comes from hooks that an earlier version installed; it gets an empty answer.
      event: v.picklist(['edit', 'failure']),
      tool: text,
      sessionId: session,
      cwd: v.optional(v.nullable(v.string()), null),
      asOf: v.optional(time),
      client: optionalText,
      // A hook's own.
      payload: v.optional(v.custom<JsonObject>((value) => isObject(value as Json), 'must be an object')),
    },
    async ({ event, asOf = null, client, payload, ...call }, { engine, recall }, { request }) => {
      const nothing = { memories: [], text: '' };
      if (recall === 'off' || event === 'edit') return nothing;
      if (payload !== undefined) {
        const failed = failedCommand(payload, client);
        if (failed === null) return nothing;
        return { ...(await engine.call('recall', { ...failed, asOf })), form: failed.form };
      }
      const { input = null, output = '' } = request;
      const ts = new Date().toISOString();
      const raw = { ...call, input, output, toolUseId: null, ts, client: 'unknown', isError: true } as const;
      return engine.call('recall', { call: prepare(raw).event, asOf });
    },
  ),
  rule: op({ session, agent: session, ids }, (args, { engine }) => engine.call('rule', args)),
  rules: op({ suggest: flag }, (args, { engine }) => engine.call('rules', args)),
  /** What was said unasked, and what followed. */
  told: op({ limit: v.optional(upTo(recentMax), 20) }, async (args, { engine }) => ({
    told: await engine.call('told', args),
  })),
  search: op(searchSchema.entries, (args, { engine }) => search(engine, args)),
  why: op(whySchema.entries, async (args, { engine }) => ({
    why: (await engine.call('why', args)) ?? missing(args),
  })),
  get: op({ ids, cwd: optionalText }, async (args, { engine }) => ({
    summaries: await engine.call('get', args),
  })),
  recent: op(
    {
      limit: v.optional(upTo(recentMax), 20),
      before: v.optional(v.nullable(v.union([id, time])), null),
      session: optionalSession,
      tool: optionalText,
      kinds,
    },
    async (args, { engine }) => ({ summaries: await engine.call('recent', args) }),
  ),
  timeline: op(
    { id, window: v.optional(upTo(timelineWindowMax)) },
    async (args, { engine }) => (await engine.call('timeline', args)) ?? missing(args),
  ),
  graph: op({ id, depth: v.optional(upTo(graphDepthMax), 1) }, (args, { engine }) =>
    engine.call('graph', args),
  ),
  sessions: op(
    { limit: v.optional(upTo(recentMax), 50), session: optionalSession },
    async (args, { engine }) => ({
      sessions: await engine.call('sessions', args),
    }),
  ),
  pin: op({ id }, (args, { engine }) => pin(engine, args, true)),
  unpin: op({ id }, (args, { engine }) => pin(engine, args, false)),
  forget: op({ id }, async (args, { engine }) => {
    const forgotten = (await engine.call('forget', args)) ?? missing(args);
    return forgotten.kept.length > 0 ? forgotten : {};
  }),
  prune: op({ confirm: flag }, (args, { engine }) => engine.call('prune', args)),
  import: op(
    {
      file: v.pipe(
        v.string(),
        v.check((file) => path.isAbsolute(file), 'must be an absolute path'),
      ),
      ...{ forgotten: flag, author: text, mine: flag },
    },
    async (args, { engine, background }, { interim }) => {
      const took = await importAll(
        args,
        (step) => engine.call('importPart', step),
        (bytes, bytesTotal) => interim({ progress: { bytes, bytesTotal } }),
      );
      background.imported();
      return took;
    },
  ),
  /** The state goes with the memory: others have another working tree. */
  promote: op(
    { id, note: v.optional(v.pipe(v.string(), v.maxLength(focusCharsMax)), '') },
    async (args, { engine }) => {
      const [state] = await engine.call('states', { ids: [args.id] });
      const verdict = state?.[1]?.verdict ?? 'unknown';
      const words = [
        args.note === '' ? '' : `Note: ${prepareText(args.note)}`,
        verdict === 'unknown' ? '' : `When promoted: ${verdict}.`,
      ];
      const note = words.filter((one) => one !== '').join('\n');
      return (await engine.call('promote', { id: args.id, note })) ? {} : missing(args);
    },
  ),
  /** The memory's side of `memd sync`. */
  sync: op({ request: syncStep }, ({ request }, { engine }) => engine.call('sync', request)),
  focus: op(
    { text: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(focusCharsMax)))) },
    async (args, { engine }) => {
      if (args.text !== undefined)
        await engine.call('setFocus', { text: args.text ? prepareText(args.text) : null });
      return { focus: await engine.call('focus') };
    },
  ),
  drain: op(
    {
      limit: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
      refine: flag,
      progress: flag,
    },
    ({ progress: wanted, ...args }, { engine }, { interim }) =>
      engine.drain(args, (progress) => {
        if (wanted) interim({ progress: { ...progress } });
      }),
  ),
};

/** The fields of all ops. */
export const opFields: readonly string[] = [
  ...new Set(['input', 'output', ...Object.values(ops).flatMap(({ fields }) => fields)]),
];

export function opsHandler(context: OpsContext): Handler {
  return async (request, requestContext) => {
    const name = request.op;
    if (typeof name !== 'string') throw refusal('bad_request', 'op must be a text');
    const found = Object.hasOwn(ops, name) ? ops[name] : undefined;
    if (found === undefined) throw refusal('unknown_op', `unknown op ${JSON.stringify(name.slice(0, 60))}`);
    if (name !== 'capture' && name !== 'ping') await context.intake.flush();
    // Ops return plain data, which the type of the wire does not say.
    return ((await found.run(name, context, { ...requestContext, request })) ?? {}) as JsonObject;
  };
}

/** The requests of the bridge; `why` is null when the memory does not exist. @throws Failure `bad_request` */
export function bridgeOps(engine: Engine) {
  return {
    search: async (request: JsonObject) => search(engine, checked('search', searchSchema, request)),
    why: async (request: JsonObject) => engine.call('why', checked('why', whySchema, request)),
    // The page asks for them after it has shown what they are of.
    states: async (request: { readonly ids: readonly number[]; readonly file?: string | null }) =>
      new Map(await engine.call('states', { ...request, budgetMs: pageStatesMs })),
    standing: (session: string) => engine.call('standing', { session }),
    standings: async (sessions: readonly string[]) =>
      new Map(await engine.call('standings', { sessions, budgetMs: pageStatesMs })),
  };
}

async function search(engine: Engine, args: v.InferOutput<typeof searchSchema>): Promise<object> {
  if (args.sessions) return engine.call('searchSessions', args);
  return engine.call(args.explain ? 'explained' : 'search', args);
}

async function pin(engine: Engine, args: { readonly id: number }, pinned: boolean): Promise<object> {
  return (await engine.call('pin', { ...args, pinned })) ? {} : missing(args);
}

function missing(args: { readonly id: number }): never {
  throw refusal('bad_request', `there is no memory with id ${args.id}`);
}
