import type { ToolEvent } from '#core/event';
import { payloadOf } from '#memory/store';
import type { SessionAccount } from '../../../src/memory/account/account.ts';
import { AccountFold } from '../../../src/memory/account/fold.ts';
import { messageAt } from '../store/store.ts';
import { Calls } from './events.ts';

export type Part = Calls | readonly ['user' | 'assistant', string, 'error'?];

/** A session of calls and messages in this order. */
export function eventsOf(...parts: readonly Part[]): ToolEvent[] {
  const events = parts.flatMap((part, at) =>
    part instanceof Calls
      ? part.events
      : [{ ...messageAt(at, part[0], part[1]), isError: part[2] === 'error' }],
  );
  return events.map((event, at) => ({
    ...event,
    ts: new Date(Date.UTC(2026, 0, 1, 12, 0, at)).toISOString(),
  }));
}

export function accountOf(...parts: readonly Part[]): SessionAccount {
  const fold = new AccountFold();
  for (const [at, event] of eventsOf(...parts).entries())
    fold.take({ seq: at + 1, ts: event.ts, payloadJson: JSON.stringify(payloadOf(event)) });
  return fold.account();
}
