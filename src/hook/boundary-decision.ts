import path from 'node:path';
import { denialSentence, findGround, type Ground, judge } from '../boundary/index.ts';
import type { JsonObject } from '../event/index.ts';
import { messageOf } from '../platform/index.ts';
import { type Answer, callWrites, denial, plannedCall } from '../writes/index.ts';

/** What the hook puts out: an answer for the client, or null and a note for standard error. */
export interface Decision {
  readonly answer: Answer | null;
  readonly note: string | null;
}

/** Decides about the call in `payload` by the rules of the first of `starts` that has any. */
export function decide(payload: JsonObject, starts: readonly string[], client: string | undefined): Decision {
  const call = plannedCall(payload, client);
  if (call === null) return { answer: null, note: null };
  const { ground, trouble } = rulesFor(starts);
  if (ground === null) return { answer: null, note: trouble };
  if (ground.scope.state === 'invalid') {
    const note = `the boundary is NOT in force: ${ground.file}: ${ground.scope.error}`;
    return { answer: null, note };
  }
  const cwd = call.cwd !== null && path.isAbsolute(call.cwd) ? call.cwd : (starts.at(-1) ?? '/');
  const targets = callWrites(call, { cwd, home: ground.home, env: process.env });
  const found = judge(targets, ground);
  if (found === null) return { answer: null, note: null };
  return { answer: denial(call.form, denialSentence(found, ground)), note: null };
}

function rulesFor(starts: readonly string[]): {
  readonly ground: Ground | null;
  readonly trouble: string | null;
} {
  let trouble: string | null = null;
  for (const start of starts) {
    try {
      const ground = findGround({ ...process.env, CLAUDE_PROJECT_DIR: undefined }, start);
      if (ground.scope.state !== 'off') return { ground, trouble: null };
    } catch (error) {
      // Another of the folders may have rules.
      trouble ??= `the boundary was not checked: ${messageOf(error)}`;
    }
  }
  return { ground: null, trouble };
}
