/** The daemon's final message to its starter. */
export type FinalMessage = Exclude<StartMessage, { kind: 'begun' | 'waiting' }>;

/** Messages from a starting daemon to its starter, over an IPC channel. `begun` comes first; all but `waiting` are final. */
export type StartMessage =
  | { readonly kind: 'begun' }
  | { readonly kind: 'ready'; readonly pid: number; readonly notes: readonly string[] }
  | { readonly kind: 'taken' }
  | { readonly kind: 'waiting'; readonly message: string }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };
