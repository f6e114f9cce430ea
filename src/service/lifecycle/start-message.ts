/** The daemon's last word to its starter. */
export type LastWord = Exclude<StartMessage, { kind: 'begun' | 'waiting' }>;

/** What the process that started the daemon is told, over the IPC channel it opened. `begun` comes first, the others are the last word. */
export type StartMessage =
  | { readonly kind: 'begun' }
  | { readonly kind: 'ready'; readonly pid: number; readonly notes: readonly string[] }
  | { readonly kind: 'taken' }
  /** Not yet the last word. */
  | { readonly kind: 'waiting'; readonly message: string }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };
