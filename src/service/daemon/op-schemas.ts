import path from 'node:path';
import * as v from 'valibot';
import { focusCharsMax, topKMax } from '../../core/limits.ts';

const recentMax = 500;
const timelineWindowMax = 100;
const graphDepthMax = 5;

const timeCharsMax = 64;
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
  // What is longer is not even looked at: it may be a hundred thousand characters.
  v.check(
    (text) => text.length <= timeCharsMax && !Number.isNaN(Date.parse(text)),
    'must be an ISO 8601 time',
  ),
  // Stored times are compared as text: one form for all.
  v.transform((text) => new Date(text).toISOString()),
);
const optionalText = v.optional(v.string());

/** What each op takes (CONTRACT 2); unknown fields are ignored. */
export const opSchemas = {
  unlock: v.object({ file: v.optional(v.boolean(), false) }),
  search: v.object({
    query: v.string(),
    topK: v.optional(upTo(topKMax)),
    session: optionalText,
    tool: optionalText,
    asOf: v.optional(time),
    explain: v.optional(v.boolean(), false),
  }),
  why: v.object({
    query: v.string(),
    id,
    topK: v.optional(upTo(topKMax)),
    session: optionalText,
    tool: optionalText,
    asOf: v.optional(time),
  }),
  get: v.object({ ids: v.pipe(v.array(id), v.maxLength(recentMax)) }),
  recent: v.object({
    limit: v.optional(upTo(recentMax), 20),
    before: v.optional(v.nullable(v.union([id, time])), null),
    session: optionalText,
    tool: optionalText,
  }),
  timeline: v.object({ id, window: v.optional(upTo(timelineWindowMax), 5) }),
  graph: v.object({ id, depth: v.optional(upTo(graphDepthMax), 1) }),
  sessions: v.object({ limit: v.optional(upTo(recentMax), 50) }),
  outline: v.object({ session: v.optional(v.string(), ''), source: v.optional(v.string(), '') }),
  rest: v.object({ session: v.optional(v.string(), '') }),
  // `input` and `output` are the call's own: any JSON.
  recall: v.object({
    // `edit` comes from hooks that an earlier version installed; it gets an empty answer.
    event: v.picklist(['edit', 'failure']),
    tool: v.string(),
    sessionId: v.optional(v.string(), ''),
    cwd: v.optional(v.nullable(v.string()), null),
    asOf: v.optional(time),
  }),
  pin: v.object({ id }),
  unpin: v.object({ id }),
  forget: v.object({ id }),
  focus: v.object({ text: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(focusCharsMax)))) }),
  drain: v.object({
    limit: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
    refine: v.optional(v.boolean(), false),
  }),
  prune: v.object({ confirm: v.optional(v.boolean(), false) }),
  import: v.object({
    file: v.pipe(
      v.string(),
      v.check((file) => path.isAbsolute(file), 'must be an absolute path'),
    ),
    forgotten: v.optional(v.boolean(), false),
  }),
  backfill: v.object({
    dir: v.optional(v.string()),
    env: v.optional(v.record(v.string(), v.string())),
    dryRun: v.optional(v.boolean(), false),
    progress: v.optional(v.boolean(), false),
  }),
} as const;

/** Every field that some op knows. */
export const opFields: readonly string[] = [
  ...new Set([
    'input',
    'output',
    ...Object.values<v.ObjectSchema<v.ObjectEntries, undefined>>(opSchemas).flatMap(({ entries }) =>
      Object.keys(entries),
    ),
  ]),
];
