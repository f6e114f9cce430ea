import { isObject, type Json, type JsonObject, parseObject } from '../../src/core/event/json.ts';
import { type ToolFamily, toolFamily } from '../../src/core/event/tool-family.ts';
import { type FileDiff, shownChanges } from '../../src/reading/edits/shown.ts';

/** What a payload shows, by the family of its tool; `plain` when it has not the form of its family. */
export type View =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly note: string;
      readonly out: string;
      readonly err: string;
      readonly exit: number | null;
    }
  | { readonly kind: 'diff'; readonly files: readonly FileDiff[] }
  | { readonly kind: 'read'; readonly path: string; readonly range: string; readonly text: string }
  | { readonly kind: 'search'; readonly asked: readonly Fact[]; readonly found: string }
  | { readonly kind: 'page'; readonly asked: readonly Fact[]; readonly text: string }
  | { readonly kind: 'plan'; readonly items: readonly PlanItem[] }
  | { readonly kind: 'plain' };

export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface PlanItem {
  readonly text: string;
  readonly status: string;
}

const plain: View = { kind: 'plain' };

export function readPayload(payload: Json): View {
  if (!isObject(payload)) return plain;
  const family = toolFamily(text(payload, 'tool'));
  const input = isObject(payload.input) ? payload.input : {};
  return readers[family]?.(input, payload.output ?? null, payload) ?? plain;
}

type Reader = (input: JsonObject, output: Json, payload: JsonObject) => View;

const readers: Partial<Readonly<Record<ToolFamily, Reader>>> = {
  command: readCommand,
  edit: readEdit,
  read: readFile,
  search: readSearch,
  web: readPage,
  agent: readPage,
  plan: readPlan,
  question: readQuestions,
};

function readCommand(input: JsonObject, output: Json): View {
  const command = text(input, 'command', 'cmd', 'script') || listed(input.command ?? input.cmd ?? null);
  if (command === '') return plain;
  const result = isObject(output) ? output : {};
  const exit = [result.exitCode, result.exit_code, result.exit, result.code].find(
    (code) => typeof code === 'number',
  );
  const out = text(result, 'stdout', 'output', 'aggregated_output', 'content') || textOf(output);
  return {
    kind: 'command',
    command,
    note: text(input, 'description'),
    out,
    err: text(result, 'stderr'),
    exit: typeof exit === 'number' ? exit : null,
  };
}

function readEdit(input: JsonObject, output: Json): View {
  const files = shownChanges(input, output);
  return files.length === 0 ? plain : { kind: 'diff', files };
}

function readFile(input: JsonObject, output: Json): View {
  const file = isObject(output) && isObject(output.file) ? output.file : null;
  const path =
    text(input, 'file_path', 'path', 'filePath', 'absolute_path') || (file ? text(file, 'filePath') : '');
  const content = file ? text(file, 'content') : textOf(output);
  if (path === '' && content === '') return plain;
  const start = number(file?.startLine) || number(input.offset);
  const many = number(file?.numLines) || number(input.limit);
  const range = start > 0 && many > 0 ? `lines ${start} to ${start + many - 1}` : '';
  return { kind: 'read', path, range, text: content };
}

function readSearch(input: JsonObject, output: Json): View {
  const asked = facts(input);
  const result = isObject(output) ? output : {};
  const names = Array.isArray(result.filenames)
    ? result.filenames.filter((name) => typeof name === 'string')
    : [];
  const content = text(result, 'content', 'stdout', 'output');
  const found = content || names.join('\n') || resultsOf(result.results ?? null) || textOf(output);
  return asked.length === 0 ? plain : { kind: 'search', asked, found };
}

/** What a search of the web gives: titles with addresses, and what was said of them. */
function resultsOf(results: Json): string {
  if (!Array.isArray(results)) return '';
  return results
    .flatMap((result) => {
      if (typeof result === 'string') return [result];
      if (!isObject(result)) return [];
      const entries = Array.isArray(result.content) ? result.content.filter(isObject) : [result];
      return entries.map((entry) => `${text(entry, 'title')}\n  ${text(entry, 'url')}`);
    })
    .join('\n');
}

function readPage(input: JsonObject, output: Json): View {
  const result = isObject(output) ? output : {};
  const said = text(result, 'result', 'content', 'output', 'text') || textOf(result.content ?? output);
  return said === '' ? plain : { kind: 'page', asked: facts(input), text: said };
}

function readQuestions(input: JsonObject, output: Json): View {
  const result = typeof output === 'string' ? parseObject(output) : output;
  const answers = isObject(result) && isObject(result.answers) ? result.answers : null;
  const asked = (Array.isArray(input.questions) ? input.questions : [input])
    .filter(isObject)
    .flatMap((one) => {
      const question = text(one, 'question');
      const options = one.options ?? one.choices;
      const labels = (Array.isArray(options) ? options : []).map((each) =>
        isObject(each) ? text(each, 'label') : textOf(each),
      );
      // Codex names an answer by the id of its question, and gives a list.
      const given = answers?.[question] ?? answers?.[text(one, 'id')] ?? null;
      const answer = textOf(isObject(given) ? (given.answers ?? null) : given);
      return [
        { name: 'question', value: question },
        { name: 'offered', value: labels.join(' · ') },
        { name: 'answer', value: answer },
      ].filter(({ value }) => value !== '');
    });
  return asked.length === 0 ? plain : { kind: 'page', asked, text: answers === null ? textOf(output) : '' };
}

function readPlan(input: JsonObject): View {
  const given = [input.todos, input.plan, input.items].find(Array.isArray);
  if (!Array.isArray(given)) return plain;
  const items = given.filter(isObject).map((item) => ({
    text: text(item, 'content', 'step', 'title', 'text', 'description'),
    status: text(item, 'status', 'state') || 'pending',
  }));
  return items.length === 0 ? plain : { kind: 'plan', items };
}

function facts(input: JsonObject): Fact[] {
  return Object.entries(input).flatMap(([name, value]) =>
    value === null || value === '' || typeof value === 'object'
      ? []
      : [{ name: name.replace(/^-+/, ''), value: String(value) }],
  );
}

/** The text of an answer in the forms that assistants give it in: a string, or parts of `{type: 'text', text}`. */
function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  if (!isObject(value)) return '';
  return (
    text(value, 'text', 'content', 'output', 'error', 'llmContent', 'result') || textOf(value.content ?? null)
  );
}

function text(object: JsonObject, ...names: string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function listed(value: Json): string {
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(' ') : '';
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
