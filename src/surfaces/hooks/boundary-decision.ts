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

/** An answer for the client, or null; a note for stderr. */
export interface Decision {
  readonly answer: Answer | null;
  readonly note: string | null;
}

/** Checks the call in `payload` against the rules of the first folder in `starts` that has any. */
export function decide(payload: JsonObject, starts: readonly string[], client: string | undefined): Decision {
  const call = plannedCall(payload, client);
  if (call === null) return { answer: null, note: null };
  const { rules, problem } = rulesFor(starts);
  if (rules === null) return { answer: null, note: problem };
  const broken = [rules, ...rules.around].find(({ scope }) => scope.state === 'invalid');
  const note =
    broken?.scope.state === 'invalid'
      ? `the boundary is NOT in force: ${broken.file}: ${broken.scope.error}`
      : null;
  const cwd = call.cwd !== null && path.isAbsolute(call.cwd) ? call.cwd : (starts.at(-1) ?? '/');
  const setting = {
    ...{ cwd, home: rules.home, env: process.env },
    ...{ top: repositoryTop(cwd), lookUp: patternLookUp() },
  };
  const targets = callWrites(call, setting);
  const found = judge(targets, starts[0] === cwd ? rules : withRulesOf(cwd, rules));
  return { answer: found === null ? null : denial(call.form, denialSentence(found)), note };
}

/** The tool's folder may have more rules than the client's. */
function withRulesOf(cwd: string, rules: ScopeContext): ScopeContext {
  try {
    const there = findScopeContext({ ...process.env, CLAUDE_PROJECT_DIR: undefined }, cwd);
    return { ...rules, around: [...rules.around, there, ...there.around] };
  } catch {
    // A removed folder has no rules.
    return rules;
  }
}

function rulesFor(starts: readonly string[]): {
  readonly rules: ScopeContext | null;
  readonly problem: string | null;
} {
  let problem: string | null = null;
  for (const start of starts) {
    try {
      const rules = findScopeContext({ ...process.env, CLAUDE_PROJECT_DIR: undefined }, start);
      if (rules.scope.state !== 'off') return { rules, problem: null };
    } catch (error) {
      // Another of the folders may have rules.
      problem ??= `the boundary was not checked: ${messageOf(error)}`;
    }
  }
  return { rules: null, problem };
}
