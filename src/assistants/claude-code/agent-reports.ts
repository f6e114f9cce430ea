import { isObject, type Json, parseObject, stringAt } from '#core/event';
import type { ReportedMessage } from '../form/index.ts';

type Where = Pick<ReportedMessage, 'sessionId' | 'ts' | 'cwd' | 'turnId'>;

/**
 * What teammates and background agents say in the user's place: Claude Code writes a teammate's message, and the report of an agent that
 * has ended, into a message of the user's. `all` is the text or its blocks. The team's protocol, JSON with a `type`, is left out.
 */
export function reportsIn(all: Json | undefined, where: Where): readonly ReportedMessage[] {
  const texts = Array.isArray(all) ? all.map((block: Json) => (isObject(block) ? block.text : block)) : [all];
  return texts.flatMap((text) => {
    if (typeof text !== 'string' || !elements.some((name) => text.includes(`</${name}>`))) return [];
    return [...text.matchAll(element)].flatMap(([, name = '', attributes = '', content = '']) => {
      const said = (name.endsWith('-notification') ? reportIn(content) : content).trim();
      const agentId = name.endsWith('-notification') ? taskIn(content) : speakerIn(attributes);
      const isProtocol = said.startsWith('{') && stringAt(parseObject(said) ?? {}, 'type') !== undefined;
      return said === '' || isProtocol
        ? []
        : [{ kind: 'message', role: 'assistant', text: said, agentId, ...where } as const];
    });
  });
}

const elements = ['teammate-message', 'cross-session-message', 'task-notification', 'agent-notification'];
const element = new RegExp(`<(${elements.join('|')})((?: [^<>\\n]{0,400})?)>([\\s\\S]*?)</\\1>`, 'g');

/** The result of an agent; that of a shell is its output. */
function reportIn(content: string): string {
  if (!/<summary>\s*Agent\b/.test(content)) return '';
  return /<result>([\s\S]*)<\/result>/.exec(content)?.[1] ?? '';
}

/** As the agent's hooks and transcript name it. */
function taskIn(content: string): string {
  return /<(?:task|agent)-id>\s*([^<]*?)\s*</.exec(content)?.[1] || 'agent';
}

function speakerIn(attributes: string): string {
  return /\b(?:teammate_id|from|name|session)="([^"]*)"/.exec(attributes)?.[1] || 'another session';
}
