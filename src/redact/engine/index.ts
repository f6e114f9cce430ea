/**
 * Removes secrets from captured calls before anything else sees them: a secret in a known format, under a
 * sensitive name or in `<private>` becomes `<redacted:KIND>`, in values and keys. Synchronous, linear in the
 * length of the text, and redacting twice changes nothing more. Cutting to limits comes later, since half a secret
 * has no known format. Secrets that nothing marks are not found.
 */
export { redact, redactObservation } from './redact.ts';
export { redactText } from './text.ts';
