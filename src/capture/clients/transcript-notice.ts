import { eventName, whereIn } from '#assistants/form';
import { assistants } from '#assistants/table';
import { type JsonObject, objectAt, stringAt } from '#core/event';

/** A transcript that has more to read, since its session pauses. */
export interface TranscriptNotice {
  readonly session: string;
  /** Null for a session in the database of OpenCode or Kilo. */
  readonly file: string | null;
  /** Whose database that is. */
  readonly client?: string | undefined;
}

const pauses = new Set(assistants.flatMap(({ payload }) => payload?.pauses ?? []));

/** The transcript that a hook's payload says has grown; null for other events. */
export function transcriptNotice(payload: JsonObject, client?: string): TranscriptNotice | null {
  if (payload.type === 'session.idle') {
    const session = stringAt(objectAt(payload, 'properties') ?? {}, 'sessionID');
    return session ? { session, file: null, client } : null;
  }
  const session = whereIn(payload).sessionId;
  const event = eventName(payload);
  // Copilot CLI's `agentStop` names no event.
  const isPause = event === undefined ? 'stopReason' in payload : pauses.has(event);
  if (!isPause || session === null) return null;
  const file =
    (event === 'SubagentStop' ? stringAt(payload, 'agent_transcript_path') : undefined) ??
    stringAt(payload, 'transcript_path') ??
    stringAt(payload, 'transcriptPath');
  return file ? { session, file } : null;
}
