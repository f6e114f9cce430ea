import fs from 'node:fs';
import path from 'node:path';
import type { PlannedCall } from '#assistants/form';
import { captureSettings } from '#core/config';
import { isObject, type JsonObject, parseJson, stringAt } from '#core/event';
import { ruleFileName } from '#core/limits';
import { inTime } from '#core/platform';
import type { Workspace } from '#core/workspace';
import type { Target } from '#guard/boundary';
import { concerns } from './concerns.ts';
import { openExchange } from './exchange.ts';
import { exitSilently } from './output.ts';
import { exitTelling } from './telling.ts';

/**
 * Says the rules about an allowed call to the model, those that its session does not know, and lets the call go on. Without a daemon it
 * says nothing.
 */
export function tellRules(
  payload: JsonObject,
  workspace: Workspace,
  call: PlannedCall,
  targets: readonly Target[],
): void {
  const { budgetMs } = captureSettings(workspace.config);
  const ids = inTime(() => rulesAbout(workspace, call, targets), budgetMs) ?? [];
  if (ids.length === 0) exitSilently(null);
  // From now: at a rare match the decision is loaded already, and the boundary's own budget bounds the whole.
  setTimeout(() => exitSilently(null), budgetMs);
  const send = openExchange(
    workspace.socket,
    (reply) => exitTelling(reply, { event: 'PreToolUse', kind: 'rule' }, send),
    () => exitSilently(null),
  );
  const [session = '', agent = ''] = [stringAt(payload, 'session_id'), stringAt(payload, 'agent_id')];
  send(`${JSON.stringify({ op: 'rule', session, agent, ids })}\n`);
}

/** The ids of the user's rules that concern a call. */
function rulesAbout(
  { folder, root }: Workspace,
  call: PlannedCall,
  targets: readonly Target[],
): readonly number[] {
  const rules = parseJson(fs.readFileSync(path.join(folder, ruleFileName), 'utf8'));
  return (Array.isArray(rules) ? rules : []).flatMap((one) => {
    if (!isObject(one) || typeof one.id !== 'number') return [];
    const [on, form] = [stringAt(one, 'on') ?? '', stringAt(one, 'form') ?? ''];
    return form !== '' && concerns({ on, form }, call, targets, root) ? [one.id] : [];
  });
}
