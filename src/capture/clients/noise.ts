import { isObject, type Json, type JsonObject, type Role, stringAt } from '#core/event';
import { noise, ownLines } from './noise-rules.ts';

/**
 * What was said in a text that a client recorded as the user's or the assistant's, without what clients, hooks and memd add
 * (see `noise`). Null when nothing is left. A command keeps its arguments. An assistant's text is only removed as a whole, but for
 * memd's records: it may quote what clients add.
 */
export function said(role: Role, text: string): string | null {
  const whole = text.trim().replace(fileHints, '$1');
  if (isNoise(role, whole)) return null;
  if (role === 'assistant') {
    const isQuoting = whole.includes(`<${record}-`);
    return (
      (isQuoting
        ? withoutElements(whole, new Set([record]))
            .replace(ownLines, '')
            .trim()
        : whole) || null
    );
  }
  const command = commandLine(whole);
  if (command !== undefined) return command;
  let rest = withoutElements(whole, noise.elements);
  for (const match of noise.parts) rest = rest.replace(match, '');
  for (const match of noise.tails) {
    const at = rest.search(match);
    if (at >= 0) rest = rest.slice(0, at);
  }
  rest = rest.trim();
  return rest === '' || isNoise('user', rest) ? null : rest;
}

/** `said` by the user over the texts of a message: a string, or blocks and parts of which those with a `text` count. */
export function typedIn(content: Json | undefined): string | null {
  const blocks = Array.isArray(content) ? content : [content ?? ''];
  const all = blocks.flatMap((block: Json) => {
    const text = isObject(block) ? textOf(block) : block;
    return typeof text === 'string' ? [text] : [];
  });
  // The files follow in their own parts.
  const end = all.findIndex((text) => text.trimStart().startsWith(fileParts));
  const texts = all.slice(0, end < 0 ? all.length : end).flatMap((text) => {
    const words = said('user', text);
    return words === null ? [] : [words];
  });
  return texts.length === 0 ? null : texts.join('\n');
}

/** The text of a block that holds one (`text`, `input_text`, and parts without a type). */
function textOf(block: JsonObject): string | undefined {
  const type = stringAt(block, 'type') ?? 'text';
  return type === 'text' || type === 'input_text' ? stringAt(block, 'text') : undefined;
}

/** The name of memd's own records before its digest. */
const record = 'memd-record';

function isNoise(role: Role, text: string): boolean {
  return noise[role].some((match) => match.test(text));
}

/** What a person typed as `/name arguments`; null without arguments, undefined when the text is not a command's record. */
function commandLine(text: string): string | null | undefined {
  if (!/^<command-(?:name|message)>/.test(text)) return undefined;
  const name = /<command-name>\s*([^<\s]{1,200})\s*<\/command-name>/.exec(text)?.[1] ?? '';
  const open = '<command-args>';
  const from = text.indexOf(open);
  const to = text.indexOf('</command-args>', from);
  const given = from < 0 || to < 0 ? '' : text.slice(from + open.length, to).trim();
  // A client's own command (`/model opus`) is recorded with its name first, a prompt with its message.
  const isOwn = text.startsWith('<command-name>') && given.split(/\s+/).length < ownWordsMin;
  return given === '' || isOwn ? null : `${name} ${given}`;
}

/** Fewer words are a setting. */
const ownWordsMin = 3;

/** The lines behind a notification that say where its output is. */
const fileHints =
  /(<\/(?:task|bash|agent)-notification>)(?:\s*\n[^\n<:]{3,80}: *(?:[A-Za-z]:)?[/\\~][^\n<]*)+/g;

/** Precedes the files that a prompt to Gemini CLI names. */
const fileParts = '--- Content from referenced files ---';

/** Without the added elements and their content. A person may have typed one that is never closed. */
function withoutElements(text: string, elements: ReadonlySet<string>): string {
  const unclosed = new Set<string>();
  const open = /<([a-z][\w-]{2,40})(?: [^<>\n]{0,400})?>/g;
  let kept = '';
  let from = 0;
  for (let found = open.exec(text); found !== null; found = open.exec(text)) {
    const [element, whole = ''] = found;
    const name = whole.replace(/-[0-9a-f]{16}$/, '');
    if (!elements.has(name) || (unclosed.has(name) && name !== record)) continue;
    const close = unclosed.has(name)
      ? -1
      : text.indexOf(name === record ? `</${name}-` : `</${whole}>`, found.index + element.length);
    if (close < 0) unclosed.add(name);
    if (close < 0 && name !== record) continue;
    kept += text.slice(from, found.index);
    // Only memd writes the name of a record: this one was cut, and ends with its paragraph.
    const end = close < 0 ? text.indexOf('\n\n', found.index) : text.indexOf('>', close) + 1;
    from = end > 0 ? end : text.length;
    open.lastIndex = from;
  }
  return kept + text.slice(from);
}
