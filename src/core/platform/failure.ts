/**
 * An expected failure: what failed and why, what is safe, what to do, as sentences in one line. The first keeps its first letter, because
 * it follows the name of a program. Any other error is a bug and ends the process.
 */
export class Failure extends Error {
  readonly code: string;
  readonly what: string;
  readonly repair: string | null;

  constructor(code: string, what: string, more: { safe?: string; repair?: string; cause?: unknown } = {}) {
    super(inSentences(what, more.safe, more.repair), { cause: more.cause });
    this.name = 'Failure';
    this.code = code;
    this.what = what;
    this.repair = more.repair ?? null;
  }
}

/** `first. Second. Third.`; `first` alone stays as it is: it may be a cause that a message quotes. */
export function inSentences(first: string, ...others: readonly (string | undefined)[]): string {
  const sentences = others.filter((one) => one !== undefined).map(sentence);
  return sentences.length === 0 ? first : [withStop(first), ...sentences].join(' ');
}

/** With a capital first letter and a full stop. A text that begins with a command, a path or a setting keeps its beginning. */
export function sentence(text: string): string {
  const isWord = /^(?!memd?\b)[a-z]+(?:['’-][a-z]+)*(?=[,:;.]?(?:\s|$))/.test(text);
  return withStop(isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text);
}

function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
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

/** What `work` returns; `otherwise` if it throws. Only for work that is not asynchronous. */
export function orElse<T, U>(work: () => T, otherwise: U): T | U {
  return rescued(work, () => otherwise);
}

/** The same with a value made of the error. */
export function rescued<T, U>(work: () => T, otherwise: (thrown: unknown) => U): T | U {
  try {
    return work();
  } catch (thrown) {
    return otherwise(thrown);
  }
}

/** For work whose failure changes nothing. */
export function bestEffort(work: () => unknown): void {
  orElse(work, null);
}

/** What `work` returns; `otherwise` after a system error with one of these codes. Any other error goes on. */
export function unlessCode<T, U>(codes: readonly string[], work: () => T, otherwise: U): T | U {
  return rescued(work, (thrown) => {
    if (!codes.includes(errorCode(thrown) ?? '')) throw thrown;
    return otherwise;
  });
}

/** What `work` returns; `otherwise` after an expected failure. Any other error goes on. */
export function unlessFailure<T, U>(work: () => T, otherwise: U): T | U {
  return rescued(work, (thrown) => {
    if (!(thrown instanceof Failure)) throw thrown;
    return otherwise;
  });
}

/** For the `catch` of a promise: null after an expected failure. Any other error goes on. */
export function nullIfFailure(thrown: unknown): null {
  if (thrown instanceof Failure) return null;
  throw thrown;
}
