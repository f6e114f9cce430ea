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
  const { scopeContext, problem } = rulesFor(starts);
  if (scopeContext === null) return { answer: null, note: problem };
  const broken = [scopeContext, ...scopeContext.around].find(({ scope }) => scope.state === 'invalid');
  const note =
    broken?.scope.state === 'invalid'
      ? `the boundary is NOT in force: ${broken.file}: ${broken.scope.error}`
      : null;
  const cwd = call.cwd !== null && path.isAbsolute(call.cwd) ? call.cwd : (starts.at(-1) ?? '/');
  const setting = {
    ...{ cwd, home: scopeContext.home, env: process.env },
    ...{ top: repositoryTop(cwd), lookUp: patternLookUp() },
  };
  const targets = callWrites(call, setting);
  const found = judge(targets, starts[0] === cwd ? scopeContext : withRulesOf(cwd, scopeContext));
  return { answer: found === null ? null : denial(call.form, denialSentence(found)), note };
}

/** The tool's folder may have more rules than the client's. */
function withRulesOf(cwd: string, scopeContext: ScopeContext): ScopeContext {
  try {
    const there = findScopeContext({ ...process.env, CLAUDE_PROJECT_DIR: undefined }, cwd);
    return { ...scopeContext, around: [...scopeContext.around, there, ...there.around] };
  } catch {
    // A removed folder has no rules.
    return scopeContext;
  }
}

function rulesFor(starts: readonly string[]): {
  readonly scopeContext: ScopeContext | null;
  readonly problem: string | null;
} {
  let problem: string | null = null;
  for (const start of starts) {
    try {
      const scopeContext = findScopeContext({ ...process.env, CLAUDE_PROJECT_DIR: undefined }, start);
      if (scopeContext.scope.state !== 'off') return { scopeContext, problem: null };
    } catch (error) {
      // Another of the folders may have rules.
      problem ??= `the boundary was not checked: ${messageOf(error)}`;
    }
  }
  return { scopeContext: null, problem };
}
