import type { MessagePort } from 'node:worker_threads';

/** What crosses the thread boundary: an operation, or a port to take operations from as well. */
export type ToEngine =
  | { readonly id: number; readonly op: string; readonly args: unknown }
  | { readonly attach: MessagePort };

export type FromEngine =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SerializedError }
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'unusable'; readonly error: SerializedError }
  | {
      readonly kind: 'report';
      readonly message: string;
      readonly fields: Readonly<Record<string, string | number>>;
    };

/** An error as plain data; `code` is there when it was a `Failure`. */
export interface SerializedError {
  readonly message: string;
  readonly code: string | null;
  readonly stack: string;
}
