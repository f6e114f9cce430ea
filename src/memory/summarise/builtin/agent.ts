import { isObject, own } from '#core/event';
import { argument, type Call } from '#reading/call';
import { outline } from '#reading/edits';
import { oneLine, plainLines } from '#reading/text';
import { type Account, failedAccount } from './account.ts';
import { conclusion } from './conclusion.ts';

/** The task of a subagent and its result. */
export function agentAccount(call: Call): Account {
  const prompt = argument(call, 'prompt', 'task', 'message', 'instructions', 'objective', 'input');
  const title = oneLine(argument(call, 'description', 'title', 'name'), 120);
  const kind = argument(call, 'subagent_type', 'agent_type', 'agent', 'agent_name');
  const asked = firstSentence(prompt);
  const who = kind === '' ? 'Agent' : `${kind} agent`;
  const about = title === '' ? '' : ` (${title})`;
  const what = `${who}${about} asked: “${asked}”`;
  if (call.result.failed) return failedAccount(call, what, 200, [title, prompt.slice(0, 4_000)]);
  const lines = plainLines(call.result.text);
  const result = inBackground(call) ? 'started in the background' : conclusion(lines, 230);
  return {
    text: `${what} ${result === '' ? '' : `Result: ${result}`}`,
    terms: [
      title,
      prompt.slice(0, 2_000),
      outline(lines, 'prose').slice(0, 20).join('\n'),
      lines.join('\n').slice(0, 6_000),
    ],
  };
}

function inBackground(call: Call): boolean {
  if (isObject(call.output) && own(call.output, 'isAsync') === true) return true;
  return call.result.text.startsWith('Async agent launched');
}

/** The prompt's first sentence; with the next line when it only announces one. */
function firstSentence(prompt: string): string {
  const [line = '', next = ''] = plainLines(prompt.slice(0, 4_000));
  if (line.endsWith(':')) return oneLine(`${line} ${next}`, 160);
  const end = /[.!?](?:\s|$)/.exec(line)?.index;
  return oneLine(end === undefined ? line : line.slice(0, end + 1), 160);
}
