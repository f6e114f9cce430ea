import type { ListRequest, SessionCursor } from '../../../memory/store/index.ts';

/** One read of the database. */
export type ReadRequest =
  | ({ readonly kind: 'summaries' } & ListRequest)
  | { readonly kind: 'summary'; readonly id: number }
  | { readonly kind: 'graph'; readonly id: number; readonly depth: number }
  | { readonly kind: 'sessions'; readonly limit: number; readonly before: SessionCursor | null }
  | { readonly kind: 'tools' }
  | { readonly kind: 'counts' };

export type ToReader = { readonly id: number; readonly request: ReadRequest } | { readonly close: true };

/** `body` is JSON in UTF-8, its memory handed over; null when what was asked for is not there. */
export type FromReader =
  | { readonly id: number; readonly body: Uint8Array | null }
  | { readonly id: number; readonly error: { readonly code: string | null; readonly message: string } }
  | { readonly closed: true };
