import type { Json, Payload } from '#core/event';
import { type ComparedCall, comparedCall } from '../../../src/memory/curate/compared-call.ts';
import type { Finding, Rule } from '../../../src/memory/curate/rules/index.ts';

/** A call of a test; `at` is its minute and the id of its summary. */
export interface TestCall {
  readonly at: number;
  readonly tool?: string;
  readonly input?: Json;
  readonly output?: Json;
  readonly isError?: boolean;
  readonly sessionId?: string;
  readonly cwd?: string | null;
  /** The words of the summary. */
  readonly text?: string;
}

export function timeOf(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}

export function payloadOf({ at, ...call }: TestCall): Payload {
  return {
    tool: call.tool ?? 'Bash',
    input: call.input ?? {},
    output: call.output ?? '',
    sessionId: call.sessionId ?? 's1',
    toolUseId: `call_${at}`,
    ts: timeOf(at),
    client: 'claude-code',
    isError: call.isError ?? false,
    cwd: call.cwd === undefined ? '/p' : call.cwd,
  };
}

export function facts(call: TestCall): ComparedCall {
  const payload = payloadOf(call);
  const { tool, sessionId, ts } = payload;
  const text = call.text ?? `${tool} ${JSON.stringify(payload.input)}`;
  return comparedCall({
    id: call.at,
    ts,
    text,
    tool,
    sessionId,
    kind: 'call',
    payloadJson: JSON.stringify(payload),
  });
}

/** What a rule finds of two calls. */
export function finding(
  rule: Rule,
  older: TestCall,
  newer: TestCall,
  between: readonly TestCall[] | null = [],
  isSideBySide = false,
): Finding | null {
  const around = { between: () => between?.map(facts) ?? null, sideBySide: () => isSideBySide };
  return rule({ older: facts(older), newer: facts(newer) }, around);
}

export function bash(at: number, command: string, output: string, more: Partial<TestCall> = {}): TestCall {
  return { at, tool: 'Bash', input: { command }, output, ...more };
}

export function edit(at: number, before: string, after: string, more: Partial<TestCall> = {}): TestCall {
  const input = { file_path: '/p/src/cart.ts', old_string: before, new_string: after };
  return { at, tool: 'Edit', input, output: 'The file /p/src/cart.ts has been updated.', ...more };
}

export function write(at: number, content: string, more: Partial<TestCall> = {}): TestCall {
  const input = { file_path: '/p/src/cart.ts', content };
  return { at, tool: 'Write', input, output: 'File created successfully at: /p/src/cart.ts', ...more };
}
