import { createHash } from 'node:crypto';
import { redactText } from '../../capture/redact/index.ts';
import { boundedId, cutText } from '../../core/event/index.ts';
import type { Prompt } from '../../memory/store/index.ts';

export const promptCharsMax = 2_000;

interface RawPrompt {
  readonly sessionId: string;
  readonly ts: string;
  readonly text: string;
}

/**
 * A prompt for the database: redacted, then cut, then identified, like an event. None when all of it is private, or when it has no
 * session.
 */
export function preparePrompt({ sessionId, ts, text }: RawPrompt): readonly Prompt[] {
  const clean = redactText(text).text.trim();
  if (sessionId === '' || clean.replaceAll('<redacted:private>', '').trim() === '') return [];
  const session = boundedId(redactText(sessionId).text);
  const kept = cutText(clean, promptCharsMax);
  const hash = createHash('sha256')
    .update(JSON.stringify([session, ts, kept]))
    .digest('hex');
  return [{ id: `pr_${hash.slice(0, 24)}`, sessionId: session, ts, text: kept }];
}
