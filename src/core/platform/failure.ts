/** An expected failure in one line: what happened, what is safe, what to do. Any other error is a bug and ends the process. */
export class Failure extends Error {
  readonly code: string;
  readonly what: string;
  readonly repair: string | null;

  constructor(code: string, what: string, more: { safe?: string; repair?: string; cause?: unknown } = {}) {
    super([what, more.safe, more.repair].filter(Boolean).join('; '), { cause: more.cause });
    this.name = 'Failure';
    this.code = code;
    this.what = what;
    this.repair = more.repair ?? null;
  }
}

/** The words of anything thrown, for a log line or a message. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The words of a `JSON.parse` error, without the quoted text: it may hold a secret. */
export function jsonErrorOf(thrown: unknown): string {
  return messageOf(thrown).replace(/,? ?(?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, '') || 'no JSON';
}

/** The `code` of a system error (`ENOENT`, `EADDRINUSE`, ...), or undefined. */
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
