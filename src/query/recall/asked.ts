import { type Call, commandText } from '../../calls/call/index.ts';
import { type Complaint, commandRun, complaintsIn } from '../../calls/checks/index.ts';
import type { Payload } from '../../core/event/index.ts';

export interface RecallRequest {
  /** The call, redacted, as a captured one is. */
  readonly call: Payload;
  /** ISO 8601: nothing later counts; null: now. */
  readonly asOf: string | null;
}

/** A command that was run, as far as recall compares it. */
export interface Run {
  readonly call: Call;
  /** As it was given. */
  readonly command: string;
  readonly programs: readonly string[];
  /** Of a command that failed; empty when nothing tells what went wrong. */
  readonly complaints: readonly Complaint[];
}

export function runOf(call: Call): Run {
  return {
    call,
    command: commandText(call),
    programs: commandRun(call).shell.programs,
    complaints: complaintsIn(call.result.text),
  };
}
