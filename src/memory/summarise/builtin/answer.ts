import { isObject, type Json, parseJson } from '#core/event';
import { textsIn } from '#reading/call';
import { listed, oneLine, plainLines } from '#reading/text';

const answerKeys =
  'identifier title name status state url error message gitBranchName description text'.split(' ');

/** The important parts of a tool's answer: values under known keys of JSON, or the beginning of a text. */
export function answerIn(text: string): { readonly answer: string; readonly terms: string } {
  const parsed = parsedAnswer(text);
  if (parsed === null) {
    const pairs = quotedPairs(pairsIn(text), answerKeys, 220);
    const answer = pairs === '' ? oneLine(plainLines(text).slice(0, 3).join(' '), 220) : pairs;
    return { answer, terms: text.slice(0, 6_000) };
  }
  const texts = textsIn(parsed);
  const first = quotedPairs(texts, answerKeys, 220);
  const answer = first === '' ? oneLine(joined(texts, ', '), 200) : first;
  return { answer, terms: joined(texts).slice(0, 3_000) };
}

export function joined(texts: readonly { readonly text: string }[], between = '\n'): string {
  return texts.map(({ text }) => text).join(between);
}

/** `key “text”` of the first text under each of `keys`, in their order. */
export function quotedPairs(
  texts: readonly { key: string; text: string }[],
  keys: readonly string[],
  max: number,
): string {
  const parts: string[] = [];
  for (const key of keys) {
    const found = texts.find((item) => item.key === key);
    if (found !== undefined) parts.push(`${key} “${oneLine(found.text, 110)}”`);
  }
  if (parts.length === 0)
    parts.push(...texts.slice(0, 3).map((item) => `${item.key} “${oneLine(item.text, 80)}”`));
  return parts.length === 0 ? '' : listed(parts, max);
}

function parsedAnswer(text: string): Json | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const parsed = parseJson(text);
  return isObject(parsed) || Array.isArray(parsed) ? parsed : null;
}

/** The texts of JSON that no longer parses, since its middle was cut. */
function pairsIn(text: string): readonly { key: string; text: string }[] {
  if (!/^\s*[[{]/.test(text)) return [];
  return [...text.matchAll(/"([\w-]{1,40})"\s?:\s?"((?:[^"\\]|\\.){1,300})"/g)].map((found) => ({
    key: found[1] ?? '',
    text: found[2] ?? '',
  }));
}
