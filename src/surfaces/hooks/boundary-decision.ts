import path from 'node:path';
import type { JsonObject } from '../../core/event/index.ts';
import { messageOf } from '../../core/platform/index.ts';
import {
  denialSentence,
  findScopeContext,
  judge,
  patternLookUp,
  repositoryTop,
  type ScopeContext,
} from '../../guard/boundary/index.ts';
import { type Answer, callWrites, denial, plannedCall } from '../../guard/writes/index.ts';

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
  const broken = [ground, ...ground.around].find(({ scope }) => scope.state === 'invalid');
  const note =
    broken?.scope.state === 'invalid'
      ? `the boundary is NOT in force: ${broken.file}: ${broken.scope.error}`
      : null;
  const cwd = call.cwd !== null && path.isAbsolute(call.cwd) ? call.cwd : (starts.at(-1) ?? '/');
  const setting = {
    ...{ cwd, home: ground.home, env: process.env },
    ...{ top: repositoryTop(cwd), lookUp: patternLookUp() },
  };
  const targets = callWrites(call, setting);
  const found = judge(targets, starts[0] === cwd ? ground : withRulesOf(cwd, ground));
  return { answer: found === null ? null : denial(call.form, denialSentence(found)), note };
}

/** Where the tool works there may be more rules than where the client was started. */
function withRulesOf(cwd: string, ground: ScopeContext): ScopeContext {
  try {
    const there = findScopeContext({ ...process.env, CLAUDE_PROJECT_DIR: undefined }, cwd);
    return { ...ground, around: [...ground.around, there, ...there.around] };
  } catch {
    // A folder that is gone has no rules of its own.
    return ground;
  }
}

function rulesFor(starts: readonly string[]): {
  readonly ground: ScopeContext | null;
  readonly trouble: string | null;
} {
  let trouble: string | null = null;
  for (const start of starts) {
    try {
      const ground = findScopeContext({ ...process.env, CLAUDE_PROJECT_DIR: undefined }, start);
      if (ground.scope.state !== 'off') return { ground, trouble: null };
    } catch (error) {
      // Another of the folders may have rules.
      trouble ??= `the boundary was not checked: ${messageOf(error)}`;
    }
  }
  return { ground: null, trouble };
}
