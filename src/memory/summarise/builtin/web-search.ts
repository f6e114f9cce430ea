import { isObject, type Json } from '#core/event';
import { builtinDepthMax } from '#core/limits';
import { type Call, textAt } from '#reading/call';
import { clip, counted, listed, plainLines } from '#reading/text';
import type { Account } from './account.ts';
import { conclusion } from './conclusion.ts';

/** The number of results, the first titles, and the client's summary of them. */
export function webAnswer(call: Call, what: string, asked: readonly string[]): Account {
  const titles = [...new Set(titlesIn(call.output, 0))];
  const summary = plainLines(call.result.text).filter(
    (line) => !/^\s*(?:Web search results|Links:|Sources:|\[\d+\] |\[?\{|REMINDER)/.test(line),
  );
  const shown = listed(
    titles.map((title) => `“${clip(title, 80)}”`),
    180,
  );
  const results = titles.length === 0 ? [] : [`${counted(titles.length, 'result')}: ${shown}`];
  const found = [...results, conclusion(summary, 180)].filter((part) => part !== '').join('. ');
  return {
    text: `${what}: ${found === '' ? 'nothing found.' : found}`,
    terms: [...asked, titles.join('\n').slice(0, 600), summary.slice(0, 20).join('\n').slice(0, 600)],
  };
}

/** The titles of the results, which come as objects with title and address, the same as text, or a list of sources. */
function titlesIn(output: Json, depth: number): string[] {
  if (typeof output === 'string') return textTitles(output);
  if (depth >= builtinDepthMax) return [];
  if (Array.isArray(output)) return output.flatMap((item: Json) => titlesIn(item, depth + 1));
  if (!isObject(output)) return [];
  const title = textAt(output, 'title');
  if (title !== '' && textAt(output, 'url', 'link', 'uri') !== '') return [title];
  return Object.values(output).flatMap((item) => titlesIn(item, depth + 1));
}

function textTitles(text: string): string[] {
  const json = [...text.matchAll(/"title":\s?"((?:[^"\\]|\\.){1,200})"/g)].map(([, title]) =>
    (title ?? '').replaceAll('\\"', '"'),
  );
  if (json.length > 0) return json;
  return [...text.matchAll(/^\[\d{1,3}\] (.{1,200}) \(https?:\/\//gm)].map(([, title]) => title ?? '');
}
