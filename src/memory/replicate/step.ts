import * as v from 'valibot';
import type { Replica } from './replica.ts';

const texts = v.array(v.pipe(v.string(), v.maxLength(512)));
const self = v.object({
  devices: v.pipe(texts, v.minLength(1)),
  author: v.string(),
  share: v.picklist(['all', 'promoted']),
});
const origin = v.object({
  device: v.string(),
  author: v.string(),
  standing: v.picklist(['own', 'trusted', 'claimed', 'member', 'stranger']),
});
const lines = v.array(v.string());

/** What `memd sync` asks of the process that holds the memory: one of these at a time. */
export const syncStep = v.variant('step', [
  v.object({ step: v.literal('begin'), self, again: v.boolean() }),
  v.object({ step: v.literal('next'), self, after: v.number() }),
  v.object({ step: v.literal('waiting'), self }),
  v.object({ step: v.literal('sent'), upTo: v.number() }),
  v.object({ step: v.literal('removed'), ids: texts }),
  v.object({ step: v.literal('resend'), sessions: texts }),
  v.object({ step: v.literal('known'), oids: texts }),
  v.object({ step: v.literal('author'), author: v.string() }),
  v.object({ step: v.literal('refuse'), author: v.string(), isRefused: v.boolean() }),
  v.object({ step: v.literal('remove'), origin, lines }),
  v.object({ step: v.literal('take'), oid: v.string(), origin, lines }),
]);

export type SyncStep = v.InferOutput<typeof syncStep>;

/** Carries out one step; the answer is plain data. */
export async function carryOut(replica: Replica, step: SyncStep): Promise<object> {
  switch (step.step) {
    case 'begin':
      return replica.begin(step.self, step.again);
    case 'next':
      return { next: replica.next(step.self, step.after) };
    case 'waiting':
      return replica.waiting(step.self);
    case 'sent':
      replica.outgoing.sent(step.upTo);
      return {};
    case 'removed':
      return { ids: replica.outgoing.removed(step.ids) };
    case 'resend':
      replica.outgoing.resend(step.sessions);
      return {};
    case 'known':
      return { oids: replica.outgoing.known(step.oids) };
    case 'author':
      return replica.author(step.author);
    case 'refuse':
      return replica.refuse(step.author, step.isRefused);
    case 'remove':
      return replica.remove(step);
    case 'take':
      return replica.take(step);
  }
}
