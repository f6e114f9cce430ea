/**
 * Takes secrets out of what was captured, before anything else sees it. Pure and synchronous; linear in the
 * length of the text; redacting twice changes nothing more.
 * Promises: a secret of a known format, under a telling name, or in `<private>` is replaced by
 * `<redacted:KIND>` in values and keys alike. What only looks like code or prose stays as it is.
 * Does not: cut to limits (redact first, or a cut may hide half a key), or find secrets that nothing marks.
 */
export { redact, redactObservation } from './redact.ts';
export { redactText } from './text.ts';
