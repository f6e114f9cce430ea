import path from 'node:path';
import type { JsonObject } from '#core/event';
import { messageOf, orElse } from '#core/platform';
import { homeOf, type Workspace } from '#core/workspace';
import {
  denialSentence,
  findScopeContext,
  judge,
  patternLookUp,
  repositoryTop,
  type ScopeContext,
} from '#guard/boundary';
import { type Answer, callWrites, denial, plannedCall } from '#guard/writes';
import { tellRules } from './rules.ts';

/** An answer for the client, or null; a note for stderr; how the rules about an allowed call are said, if there may be any. */
export interface Decision {
  readonly answer: Answer | null;
  readonly note: string | null;
  readonly tell?: () => void;
}

/** Checks the call in `payload` against the rules of the first folder in `starts` that has any. */
export function decide(
  payload: JsonObject,
  starts: readonly string[],
  client: string | undefined,
  workspace: Workspace | null = null,
): Decision {
  const call = plannedCall(payload, client);
  if (call === null) return { answer: null, note: null };
  const cwd = call.cwd !== null && path.isAbsolute(call.cwd) ? call.cwd : (starts.at(-1) ?? '/');
  const { rules, problem } = rulesFor(starts);
  const home = rules?.home ?? homeOf(process.env);
  const setting = {
    ...{ cwd, home, env: process.env },
    ...{ top: repositoryTop(cwd), lookUp: patternLookUp() },
  };
  const targets = callWrites(call, setting);
  const told =
    workspace === null || !call.form.takesContext
      ? {}
      : { tell: () => tellRules(payload, workspace, call, targets) };
  if (rules === null) return { answer: null, note: problem, ...told };
  const broken = [rules, ...rules.around].find(({ scope }) => scope.state === 'invalid');
  const note =
    broken?.scope.state === 'invalid'
      ? `the boundary is NOT in force: ${broken.file}: ${broken.scope.error}`
      : null;
  const found = judge(targets, starts[0] === cwd ? rules : withRulesOf(cwd, rules));
  return { answer: found === null ? null : denial(call.form, denialSentence(found)), note, ...told };
}

/** The tool's folder may have more rules than the client's. */
function withRulesOf(cwd: string, rules: ScopeContext): ScopeContext {
  // A removed folder has no rules.
  return orElse(() => {
    const there = findScopeContext({ ...process.env, CLAUDE_PROJECT_DIR: undefined }, cwd);
    return { ...rules, around: [...rules.around, there, ...there.around] };
  }, rules);
}

function rulesFor(starts: readonly string[]) {
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
