import * as v from 'valibot';
import type { JsonObject } from '#core/event';
import { Failure } from '#core/platform';
import {
  detailShape,
  hitShape,
  inForm,
  jsonShape,
  limitsShape,
  sessionHitShape,
  summaryShape,
  timelineShape,
  whyShape,
} from '#core/rpc';
import { askAwake, workspaceOf } from './daemon-link.ts';
import type { Io } from './io.ts';

const text = v.string();
const number = v.number();

const session = v.object({
  ...{
    sessionId: text,
    client: text,
    firstTs: text,
    lastTs: text,
    digest: v.nullable(text),
    title: v.optional(text, ''),
    workMs: v.optional(number),
    author: v.optional(text),
    startedBy: v.optional(text),
    continues: v.optional(text),
  },
  ...{ events: number, errors: number, messages: v.optional(number, 0) },
});
const pruneGroup = v.object({
  reason: v.picklist(['superseded', 'duplicate']),
  ...{ count: number, bytes: number },
  examples: v.array(v.object({ id: number, tool: text, ts: text, text, by: number })),
});
const scanned = { scanned: number, captured: number, duplicates: number };

/** The parts of the daemon's replies that commands print. */
const replies = {
  search: v.object({
    ...limitsShape.entries,
    hits: v.array(v.object({ ...hitShape.entries, why: v.optional(whyShape) })),
  }),
  searchSessions: v.object({ ...limitsShape.entries, sessions: v.array(sessionHitShape) }),
  why: v.object({ why: whyShape }),
  get: v.object({ summaries: v.array(v.object({ ...detailShape.entries, payload: jsonShape })) }),
  recent: v.object({ summaries: v.array(summaryShape) }),
  told: v.object({
    told: v.array(
      v.object({
        ...{ ts: text, sessionId: text, kind: text },
        memories: v.array(
          v.object({ id: number, text, followedBy: v.nullable(number), outcome: v.nullable(text) }),
        ),
      }),
    ),
  }),
  rules: v.object({
    rules: v.array(v.object({ id: number, ts: text, on: text, form: text, text })),
    suggestions: v.array(v.object({ id: number, ts: text, text, sessions: number })),
  }),
  sessions: v.object({ sessions: v.array(session) }),
  timeline: timelineShape,
  handoff: v.object({ sessionId: text, text, lines: v.array(text) }),
  backfill: v.looseObject({
    ...scanned,
    ...{ malformed: number, unanswered: number, ignored: number, unreadable: v.array(text) },
    notes: v.optional(v.array(text), []),
    clients: v.optional(v.record(text, v.object(scanned)), {}),
  }),
  backfillProgress: v.object({
    progress: v.object({ files: number, filesTotal: number, captured: number, duplicates: number }),
  }),
  prune: v.object({
    groups: v.array(pruneGroup),
    ...{ removed: number, left: number, restoreFile: v.nullable(text) },
  }),
  forget: v.object({ kept: v.optional(v.array(text), []) }),
  import: v.object({
    ...{ events: number, summaries: number, edges: number, prompts: number, digests: number },
    ...{ noted: number, known: number, stayed: number, forgotten: number, loose: number },
    author: v.optional(v.nullable(text), null),
    ...{ redacted: number, bad: number, badLines: v.array(v.object({ line: number, reason: text })) },
  }),
  importProgress: v.object({ progress: v.object({ bytes: number, bytesTotal: number }) }),
} as const;

type Reply<K extends keyof typeof replies> = v.InferOutput<(typeof replies)[K]>;

export type SummaryReply = v.InferOutput<typeof summaryShape>;
export type SessionReply = Reply<'sessions'>['sessions'][number];
export type ToldReply = Reply<'told'>['told'][number];
export type DetailReply = Reply<'get'>['summaries'][number];
export type HitReply = Reply<'search'>['hits'][number];
export type LimitsReply = v.InferOutput<typeof limitsShape>;
export type SessionHitReply = v.InferOutput<typeof sessionHitShape>;
export type WhyReply = Reply<'why'>['why'];
export type PruneReply = Reply<'prune'>;
export type ImportReply = Reply<'import'>;

/** @throws Failure `bad_reply` if the daemon has another version */
export function read<K extends keyof typeof replies>(kind: K, reply: unknown): Reply<K> {
  return inForm(replies[kind], reply);
}

/** What the daemon of this folder answers to the op of this name. @throws Failure as `askAwake` and `read` */
export async function answer<K extends keyof typeof replies>(
  kind: K,
  fields: JsonObject,
  io: Io,
): Promise<Reply<K>> {
  return read(kind, await askAwake(workspaceOf(io), io, { op: kind, ...fields }));
}

/** The session of an id, a unique prefix of one, or `last`. @throws Failure `bad_request` that names near ones */
export async function findSession(session: string, io: Io): Promise<SessionReply> {
  const [found] = (await answer('sessions', { session }, io)).sessions;
  if (found !== undefined) return found;
  throw new Failure('not_found', `session ${session} was removed just now`, { repair: 'run `mem sessions`' });
}
