import { type Call, textsIn } from '#reading/call';
import { type Account, failedAccount } from './account.ts';
import { answerIn, joined, quotedPairs } from './answer.ts';

/** Any other tool, mostly of MCP servers: the important arguments and parts of the answer. */
export function otherAccount(call: Call): Account {
  const given = textsIn(call.input);
  const said = quotedPairs(given, argumentKeys, 240);
  const what = `Called ${nameOf(call.tool)}${said === '' ? '' : ` with ${said}`}`;
  const words = joined(given).slice(0, 6_000);
  if (call.result.failed) return failedAccount(call, what, 220, [words, call.result.text.slice(0, 1_000)]);
  const { answer, terms } = answerIn(call.result.text);
  return { text: `${what}. ${answer === '' ? '' : `Answer: ${answer}`}`, terms: [words, terms] };
}

const argumentKeys =
  'title name query question id identifier issueId key path url uri state status libraryName libraryId description body input'.split(
    ' ',
  );

/** `mcp__tracker__create_issue` as `tracker create_issue`. */
function nameOf(tool: string): string {
  return tool
    .replace(/^mcp_+/, '')
    .split('__')
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, 120);
}
