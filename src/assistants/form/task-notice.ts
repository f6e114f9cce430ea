import { endNoticeTool, isObject, type Json, type JsonObject, objectAt, own, stringAt } from '#core/event';
import type { ReportedCall, Where } from './reported.ts';

/**
 * The ends of background work that a message of Claude Code or Qwen Code reports, as calls that complete the ones that started it. `all`
 * is the text or its blocks. An agent's report is not part of it: the agent said it.
 */
export function noticesIn(all: Json | undefined, where: Where): readonly ReportedCall[] {
  const texts = Array.isArray(all) ? all.map(textOf) : [all];
  return texts.flatMap((text) =>
    typeof text === 'string' && text.includes('-notification>')
      ? [...text.matchAll(notice)].map(([, , content = '']) => ended(content, where))
      : [],
  );
}

function textOf(block: Json): string | undefined {
  return isObject(block) && block.type === 'text' ? stringAt(block, 'text') : undefined;
}

const notice = /<((?:task|bash|agent)-notification)>([\s\S]*?)<\/\1>/g;

/** Versions before 2.1 name the shell or the agent in place of the task, and no call. */
function ended(content: string, where: Where): ReportedCall {
  const field = (...names: string[]): string | null => {
    const found = new RegExp(`<(${names.join('|')})>\\s*([\\s\\S]*?)\\s*</\\1>`).exec(content);
    return found?.[2] ?? null;
  };
  const task = field('task-id', 'shell-id', 'agent-id');
  const summary = field('summary') ?? '';
  const code = field('exit-code', 'exit_code') ?? /\bexit code:? (-?\d{1,6})\b/i.exec(summary)?.[1] ?? null;
  return endNotice(where, {
    input: { task_id: task, tool_use_id: field('tool-use-id') },
    status: field('status') ?? (/ failed\b/.test(summary) ? 'failed' : ''),
    exitCode: code === null ? null : Number(code),
    output: /^Agent\b/.test(summary) ? '' : (field('result') ?? ''),
  });
}

/** Copilot CLI's `system.notification` of a shell command that has ended; null for another one. */
export function shellNotice(data: JsonObject, where: Where): ReportedCall | null {
  const kind = objectAt(data, 'kind') ?? {};
  const shell = stringAt(kind, 'shellId');
  const code = own(kind, 'exitCode');
  if (shell === undefined || !/completed$/.test(stringAt(kind, 'type') ?? '')) return null;
  const exitCode = typeof code === 'number' ? code : null;
  return endNotice(where, { input: { task_id: shell }, status: 'completed', exitCode, output: '' });
}

function endNotice(
  where: Where,
  { input, ...output }: { input: JsonObject; status: string; exitCode: number | null; output: string },
): ReportedCall {
  return { kind: 'call', tool: endNoticeTool, input, output, toolUseId: null, isError: false, ...where };
}
