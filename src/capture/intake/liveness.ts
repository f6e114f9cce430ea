export const livenessGapMs = 10 * 60_000;
export const livenessShownMs = 60 * 60_000;
export const livenessCallsMin = 3;
export const livenessSessionsMax = 256;

/** A session whose announced tool calls are not captured. */
export interface Gap {
  readonly sessionId: string;
  /** Calls announced since the last one that was captured. */
  readonly announced: number;
  /** From the first of them to the session's last event. */
  readonly lengthMs: number;
}

interface Session {
  announced: number;
  /** When the first call after the last capture was announced, in ms. */
  since: number;
  lastSign: number;
  open: boolean;
}

/**
 * Notices when captures stop arriving in a live session. Hook events announce calls, and prompts show that the session
 * lives. A gap is `livenessGapMs` with at least `livenessCallsMin` announced calls and no captured one: a single call may
 * have been refused, or run for an hour. Pure: the caller passes the time in ms. Keeps the last `livenessSessionsMax` sessions.
 */
export class Liveness {
  readonly #sessions = new Map<string, Session>();

  /** A hook event that is not a finished call. Returns the gap that it opens, if any. */
  saw(sessionId: string, hookEvent: string, now: number): Gap | null {
    if (sessionId === '') return null;
    if (endings.has(hookEvent)) {
      this.#sessions.delete(sessionId);
      return null;
    }
    const announces = announcements.has(hookEvent) || hookEvent.startsWith('pre_');
    if (!announces && !prompts.has(hookEvent)) return null;
    const session = this.#touch(sessionId, now);
    if (announces) {
      if (session.announced === 0) session.since = now;
      session.announced += 1;
    }
    session.lastSign = now;
    if (session.open || !isGap(session)) return null;
    session.open = true;
    return gapOf(sessionId, session);
  }

  /** A call of the session was captured. Returns the gap that it ends, if any. */
  captured(sessionId: string, now: number): Gap | null {
    if (sessionId === '') return null;
    const session = this.#touch(sessionId, now);
    const ended = session.open ? gapOf(sessionId, session) : null;
    session.announced = 0;
    session.open = false;
    session.lastSign = now;
    return ended;
  }

  /** The gaps of sessions with a recent event. */
  gaps(now: number): readonly Gap[] {
    return [...this.#sessions]
      .filter(([, session]) => session.open && now - session.lastSign < livenessShownMs)
      .map(([sessionId, session]) => gapOf(sessionId, session));
  }

  #touch(sessionId: string, now: number): Session {
    const session = this.#sessions.get(sessionId) ?? { announced: 0, since: now, lastSign: now, open: false };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= livenessSessionsMax) break;
      this.#sessions.delete(oldest);
    }
    return session;
  }
}

export function gapWarning({ sessionId, announced, lengthMs }: Gap): string {
  const minutes = Math.floor(lengthMs / 60_000);
  const name = sessionId.length > 12 ? `${sessionId.slice(0, 12)}…` : sessionId;
  return `no tool call of session ${name} was captured for ${minutes} minutes, though it began ${announced}: hooks may not be installed for PostToolUse. Check the assistant's hook settings, then run \`memd doctor\`.`;
}

/** Events before a call, by the clients' names. */
const announcements = new Set(
  'PreToolUse preToolUse BeforeTool beforeShellExecution beforeMCPExecution tool.execute.before'.split(' '),
);
const prompts = new Set(
  'UserPromptSubmit UserPromptExpansion userPromptSubmitted beforeSubmitPrompt BeforeAgent chat.message'.split(
    ' ',
  ),
);
const endings = new Set('SessionEnd sessionEnd'.split(' '));

function isGap({ announced, since, lastSign }: Session): boolean {
  return announced >= livenessCallsMin && lastSign - since > livenessGapMs;
}

function gapOf(sessionId: string, { announced, since, lastSign }: Session): Gap {
  return { sessionId, announced, lengthMs: lastSign - since };
}
