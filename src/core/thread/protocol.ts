import type { MessagePort } from 'node:worker_threads';
import { Failure } from '#core/platform';

/** The operations of a thread by name. Each takes one argument at most and returns plain data. */
// biome-ignore lint/suspicious/noExplicitAny: the argument's type is each operation's own
export type ThreadOps = Readonly<Record<string, (args: any) => unknown>>;

/** To a thread: a request, or one more port to take requests from. The op `close` is the last one. */
export type ToThread =
  | { readonly id: number; readonly op: string; readonly args: unknown }
  | { readonly connect: MessagePort };

/** From a thread: the reply to a request, its error, or a notice that no request asked for. */
export type FromThread =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SerializedError }
  | { readonly notice: unknown };

type SerializedError = ReturnType<typeof serializeError>;

/** An error as plain data. `code` is null unless it was a `Failure`. */
export function serializeError(thrown: unknown) {
  const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { message, code: thrown instanceof Failure ? thrown.code : null, stack };
}

export function deserializeError({ message, code, stack }: SerializedError): Error {
  if (code !== null) return new Failure(code, message);
  const error = new Error(message);
  error.stack = stack;
  return error;
}
