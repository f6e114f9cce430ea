import { type Json, type JsonObject, own, parsedArguments, stringAt } from '#core/event';

/** A call that has not run yet. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: Json;
  /** The working directory of the tool, else the first folder open in the client, when the payload has them. */
  readonly cwd: string | null;
}

/** An assistant's hook before a call. */
export interface Before {
  /** Null for any other event. */
  read(payload: JsonObject): PlannedCall | null;
  /** What the hook prints to deny the call, or the exit status that denies it, with the reason on stderr. */
  readonly deny: number | ((reason: string) => object);
  /** Whether it shows a hook's `systemMessage` to the user. */
  readonly showsMessages?: true;
  /** Whether the model gets a hook's `additionalContext`, as a real client showed. */
  readonly takesContext?: true;
}

/** Claude Code's, which Codex and Qwen Code share. */
export const preToolUse: Before = {
  read: (payload) => readNamed(payload, 'PreToolUse'),
  deny: (reason) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  }),
  showsMessages: true,
};

/** The call in Claude Code's shape. */
export function readNamed(payload: JsonObject, event: string): PlannedCall | null {
  const tool = stringAt(payload, 'tool_name');
  const name = stringAt(payload, 'hook_event_name') ?? stringAt(payload, 'hookEventName');
  return tool === undefined || name !== event ? null : planned(payload, tool, own(payload, 'tool_input'));
}

/** Arguments may come as their JSON text. */
export function planned(payload: JsonObject, tool: string, input: Json | undefined): PlannedCall {
  const roots = own(payload, 'workspace_roots') ?? own(payload, 'workspaceRoots') ?? [];
  const folders = Array.isArray(roots) ? roots.filter((one) => typeof one === 'string') : [];
  const cwd = stringAt(payload, 'cwd') || folders.find((one) => one !== '') || null;
  return { tool, input: parsedArguments(input), cwd };
}

export const byDecision = (reason: string): object => ({ decision: 'deny', reason });

/** Copilot CLI runs hooks of Claude Code's form too: unlike Claude Code it sends a time, but neither a transcript nor a call id. */
export function isCopilots(payload: JsonObject): boolean {
  return 'timestamp' in payload && !('transcript_path' in payload) && !('tool_use_id' in payload);
}
