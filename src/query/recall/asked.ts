import { type Call, commandText, parsePayload, readCall } from '../../calls/call/index.ts';
import { commandRun } from '../../calls/checks/index.ts';
import type { Payload } from '../../core/event/index.ts';
import { type Complaint, complaintsIn } from './complaints.ts';

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
  readonly steps: readonly string[];
  /** Of a command that failed; empty when nothing tells what went wrong. */
  readonly complaints: readonly Complaint[];
}

/** The call in a stored payload; null when it cannot be read. */
export function payloadIn(payloadJson: string): Payload | null {
  const parsed = parsePayload(payloadJson);
  return 'payload' in parsed ? parsed.payload : null;
}

export function runOf(payload: Payload): Run {
  const call = readCall(payload);
  const command = commandText(call);
  return {
    call,
    command,
    steps: commandRun(call).shell.programs,
    complaints: complaintsIn(call.result.text),
  };
}
