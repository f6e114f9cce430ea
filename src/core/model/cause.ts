import { isIPv4 } from 'node:net';
import { errorCode, messageOf } from '#core/platform';

/**
 * Why `fetch` failed, in the system's own words (`connect ECONNREFUSED 127.0.0.1:11434`). undici wraps them:
 * a TypeError whose cause is the system error, or an AggregateError with one for each address tried. The IPv4 one comes
 * first.
 */
export function causeWords(thrown: unknown): string {
  const causes = causesOf(thrown);
  const chosen = causes.find((cause) => isIPv4(addressIn(cause))) ?? causes[0] ?? thrown;
  const words = messageOf(chosen).trim();
  return words === '' ? (errorCode(chosen) ?? 'unknown cause') : words;
}

/** True when nothing listens at any address tried: refused, unresolvable or without a route. */
export function isAbsence(thrown: unknown): boolean {
  return causesOf(thrown).every((cause) => absenceCodes.has(errorCode(cause) ?? '') || isBlockedPort(cause));
}

const absenceCodes = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH EADDRNOTAVAIL'.split(' '),
);

/** A port that `fetch` never connects to (https://fetch.spec.whatwg.org/#port-blocking). */
function isBlockedPort(cause: unknown): boolean {
  return messageOf(cause) === 'bad port';
}

/** The innermost errors, at most a few levels down. */
function causesOf(thrown: unknown, depth = 0): readonly unknown[] {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return thrown.errors;
  if (thrown instanceof Error && thrown.cause !== undefined && depth < 5)
    return causesOf(thrown.cause, depth + 1);
  return [thrown];
}

function addressIn(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null || !('address' in cause)) return '';
  return typeof cause.address === 'string' ? cause.address : '';
}
