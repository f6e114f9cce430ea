import { isObject, type JsonObject, objectAt, own, stringAt } from '../../core/event/index.ts';
import type { Ignored } from './client.ts';

/**
 * Hook events without a finished tool call, by name. An unknown event is kept whole: better one event too
 * many than a silent loss.
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

/** What a session event of Copilot CLI carries; these payloads name no event at all. */
const copilotKeys =
  'prompt source initialPrompt reason stopReason error agentName trigger message notificationType'.split(' ');

/** `payload` as an ignored one when it is known to hold no finished call, else null. */
export function otherEvent(payload: JsonObject): Ignored | null {
  const reason = reasonToIgnore(payload);
  return reason === null ? null : ignored(reason, payload);
}

/** With the session and the event that the payload names, else the event in `reason`. */
export function ignored(reason: string, payload: JsonObject): Ignored {
  const sessionId =
    ['session_id', 'sessionId', 'conversation_id'].map((key) => stringAt(payload, key)).find(Boolean) ??
    stringAt(objectAt(payload, 'input') ?? {}, 'sessionID') ??
    '';
  const event = eventName(payload) ?? /^(\S+) event$/.exec(reason)?.[1] ?? '';
  return { kind: 'ignored', reason, sessionId, event };
}

function reasonToIgnore(payload: JsonObject): string | null {
  const event = eventName(payload);
  if (event === 'PostToolBatch') return 'PostToolBatch: each call has its own event';
  if (event !== undefined) return isOtherEventName(event) ? `${event} event` : null;
  return openCodeEvent(payload) ?? copilotEvent(payload);
}

export function isOtherEventName(event: string | undefined): boolean {
  return event !== undefined && (names.has(event) || event.startsWith('pre_'));
}

/** The event's name under the clients' names for it (the last two are Cline's and Windsurf's). */
export function eventName(payload: JsonObject): string | undefined {
  return (
    stringAt(payload, 'hook_event_name') ??
    stringAt(payload, 'hookEventName') ??
    stringAt(payload, 'hookName') ??
    stringAt(payload, 'agent_action_name')
  );
}

/** OpenCode's bus events `{id, type, properties}`, its chat messages, and the arguments a plugin starts with. */
function openCodeEvent(payload: JsonObject): string | null {
  const type = stringAt(payload, 'type');
  if (type !== undefined && /^[a-z]+(?:\.[a-z]+)+$/.test(type) && objectAt(payload, 'properties')) {
    return type.startsWith('tool.') ? null : `${type} event`;
  }
  const input = objectAt(payload, 'input');
  const output = objectAt(payload, 'output');
  if (input !== undefined && stringAt(input, 'sessionID') !== undefined && output !== undefined) {
    if (objectAt(output, 'message') && Array.isArray(own(output, 'parts'))) return 'chat.message event';
  }
  const isInit = objectAt(payload, 'project') && stringAt(payload, 'worktree') !== undefined;
  return isInit ? 'plugin start' : null;
}

function copilotEvent(payload: JsonObject): string | null {
  if (stringAt(payload, 'sessionId') === undefined) return null;
  if (typeof own(payload, 'timestamp') !== 'number' || 'tool' in payload) return null;
  if (Object.keys(payload).some((key) => /^tool|Tool/.test(key))) return null;
  const key = copilotKeys.find((candidate) => candidate in payload);
  return key === undefined || isObject(own(payload, 'result')) ? null : `session event with ${key}`;
}
