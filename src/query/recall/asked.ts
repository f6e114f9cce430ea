import type { Payload } from '#core/event';
import { type Call, commandText } from '#reading/call';
import { type Complaint, commandRun, complaintsIn } from '#reading/checks';

export interface RecallRequest {
  /** The call, redacted like a captured one. */
  readonly call: Payload;
  /** ISO 8601: later memories do not count; null: now. */
  readonly asOf: string | null;
  /** The sub-agent whose call it is: it does not know what its session was told. */
  readonly agent?: string;
}

/** A command and its outcome, as recall compares them. */
export interface Run {
  readonly call: Call;
  /** As typed. */
  readonly command: string;
  readonly programs: readonly string[];
  /** Empty when the output does not show what went wrong. */
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
