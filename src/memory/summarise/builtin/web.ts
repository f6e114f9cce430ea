import { argument, type Call } from '#reading/call';
import { oneLine, plainLines } from '#reading/text';
import { type Account, failedAccount } from './account.ts';
import { conclusion } from './conclusion.ts';

/** The page, the question about it, and the answer. */
export function webAccount(call: Call): Account {
  const url = argument(call, 'url', 'uri', 'urls', 'prompt', 'input');
  const asked = argument(call, 'prompt', 'query', 'instruction');
  const purpose = asked === '' || asked === url ? '' : ` for “${oneLine(asked, 140)}”`;
  const what = `Fetched ${oneLine(url, 160)}${purpose}`;
  if (call.result.failed) return failedAccount(call, what, 200, [url, asked]);
  const lines = plainLines(call.result.text);
  return {
    text: `${what}: ${conclusion(lines, 220)}`,
    terms: [url, asked, lines.slice(0, 40).join('\n').slice(0, 2_000)],
  };
}
