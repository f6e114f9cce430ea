import { isObject, type JsonObject, stringAt } from '#core/event';
import { recallBytesMax } from '#core/limits';
import type { Send } from './exchange.ts';
import { exitSilently, put } from './output.ts';

/** Ends a hook with what memory says to the model, if anything, and with the receipt for it. */
export function exitTelling(
  reply: JsonObject,
  { event, kind }: { readonly event: string; readonly kind: 'recall' | 'rule' },
  send: Send,
): void {
  const text = stringAt(reply, 'text') ?? '';
  // A memd daemon never sends more.
  if (reply.ok !== true || text === '' || Buffer.byteLength(text) > recallBytesMax) exitSilently(null);
  const context = { additionalContext: text };
  const output =
    reply.form === 'flat' ? context : { hookSpecificOutput: { hookEventName: event, ...context } };
  if (!put(1, `${JSON.stringify(output)}\n`)) exitSilently(null);
  const { session = '', agent = '', memories } = reply;
  const ids = (Array.isArray(memories) ? memories : []).map((one) =>
    isObject(one) ? (one.id ?? null) : null,
  );
  send(`${JSON.stringify({ op: 'received', kind, session, agent, ids })}\n`, () => process.exit(0));
}
