import { type JsonObject, objectAt, stringAt } from '#core/event';
import { eventName, whereIn } from './fields.ts';
import type { Ignored } from './reported.ts';

/**
 * Hook events without a finished tool call, by name. An unknown event is kept whole: better one event too
 * many than a silent loss. What a user refused comes from the transcript when the turn ends, and plans and tasks are calls of their own
 * tools. The rest says nothing of what was done.
 */
const names = new Set(
  // Claude Code and those that took over its events
  `PreToolUse PermissionRequest PermissionDenied SessionStart SessionEnd UserPromptSubmit UserPromptExpansion
  Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact Notification Setup ConfigChange
  CwdChanged FileChanged InstructionsLoaded TaskCreated TaskCompleted TeammateIdle WorktreeCreate
  WorktreeRemove Elicitation ElicitationResult MessageDisplay TodoCreated TodoCompleted
  BeforeTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection PreCompress
  preToolUse sessionStart sessionEnd userPromptSubmitted agentStop errorOccurred
  beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead beforeSubmitPrompt afterTabFileEdit
  afterAgentResponse afterAgentThought stop subagentStart subagentStop preCompact workspaceOpen
  TaskStart TaskResume TaskCancel TaskComplete notification post_cascade_response post_setup_worktree`.split(
    /\s+/,
  ),
);

/** With the session and the event that the payload names, else the event in `reason`. */
export function ignored(reason: string, payload: JsonObject): Ignored {
  const sessionId =
    whereIn(payload).sessionId ?? stringAt(objectAt(payload, 'input') ?? {}, 'sessionID') ?? '';
  const event = eventName(payload) ?? /^(\S+) event$/.exec(reason)?.[1] ?? '';
  return { kind: 'ignored', reason, sessionId, event };
}

export function isOtherEventName(event: string | undefined): boolean {
  return event !== undefined && (names.has(event) || event.startsWith('pre_'));
}
