import type { Child, ContainerNode, Node } from './jsonc.ts';

/**
 * Edits JSON text in place: everything else stays byte by byte, also comments. `remove` exactly undoes `append` and `create`. White
 * space shows who made a container: one made here has white space before its closing bracket and is removed with its last
 * element; in an existing empty container the element touches the bracket, and the container stays.
 */

/** `key` is null in an array. */
export interface Entry {
  readonly key: string | null;
  readonly value: unknown;
}

/** The text with `entry` as the last of `container`. */
export function append(text: string, container: ContainerNode, entry: Entry): string {
  const last = container.children.at(-1);
  const close = container.end - 1;
  const style = styleOf(text, container);
  if (last === undefined) return spliced(text, [{ at: close, cut: 0, put: entryText(entry, style) }]);
  const lead = style.isMultiline ? `${style.newline}${style.indent}` : ' ';
  const put = `${lead}${entryText(entry, style)}`;
  // After the last comment: one on an element's line belongs to that element.
  const behind = Math.max(
    last.value.end,
    last.comma === null ? 0 : last.comma + 1,
    ...container.comments.map((one) => one.end),
  );
  if (last.comma !== null) return spliced(text, [{ at: behind, cut: 0, put: `${put},` }]);
  return spliced(text, [
    { at: last.value.end, cut: 0, put: ',' },
    { at: behind, cut: 0, put },
  ]);
}

/** The text with another value for `node`. */
export function replace(text: string, container: ContainerNode, node: Node, value: unknown): string {
  const style = styleOf(text, container);
  return spliced(text, [{ at: node.start, cut: node.end - node.start, put: valueText(value, style) }]);
}

/** The text without the child; null if the container was made here and is then empty. */
export function remove(text: string, container: ContainerNode, child: Child): string | null {
  const { children, comments } = container;
  const index = children.indexOf(child);
  const before = children[index - 1];
  const cuts = [
    { at: leadOf(container, child, before), until: child.value.end },
    ...(child.comma === null ? [] : [{ at: child.comma, until: child.comma + 1 }]),
  ];
  if (children.length === 1) {
    if (/\s/.test(text[container.end - 2] ?? '')) {
      if (comments.length === 0) return null;
    } else {
      cuts[0] = { at: child.start, until: child.value.end };
    }
  } else if (child.comma === null && before?.comma != null) {
    cuts.push({ at: before.comma, until: before.comma + 1 });
  }
  return spliced(
    text,
    cuts.map(({ at, until }) => ({ at, cut: until - at, put: '' })),
  );
}

/** A new text that holds `value` alone. */
export function create(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The start of the white space before a child. */
function leadOf(container: ContainerNode, child: Child, before: Child | undefined): number {
  const ends = container.comments.filter((one) => one.end <= child.start).map((one) => one.end);
  const token = before === undefined ? container.start + 1 : (before.comma ?? before.value.end) + 1;
  return Math.max(token, ...ends);
}

type Style = Readonly<ReturnType<typeof styleOf>>;

function styleOf(text: string, container: ContainerNode) {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^\s*[{[]\s*?\r?\n([ \t]+)\S/.exec(text.replace(/^\ufeff/, ''))?.[1] ?? '  ';
  const last = container.children.at(-1);
  const inner = last === undefined ? '' : text.slice(last.value.end, container.end);
  const first = container.children[0];
  const opening = first === undefined ? '' : text.slice(container.start, first.start);
  const isMultiline = /[\r\n]/.test(opening) || /[\r\n]/.test(inner);
  const own = last === undefined ? null : /[\r\n]([ \t]*)$/.exec(text.slice(0, last.start));
  const outer = /(?:^|[\r\n])([ \t]*)[^\r\n]*$/.exec(text.slice(0, container.start))?.[1] ?? '';
  return {
    newline,
    /** One level. */
    unit,
    /** Of the container's children. */
    indent: own?.[1] ?? `${outer}${unit}`,
    isMultiline: isMultiline || last === undefined,
  };
}

function entryText({ key, value }: Entry, style: Style): string {
  const text = valueText(value, style);
  return key === null ? text : `${JSON.stringify(key)}: ${text}`;
}

function valueText(value: unknown, { isMultiline, newline, unit, indent }: Style): string {
  if (!isMultiline) return inOneLine(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${indent}`);
}

/** With white space before each closing bracket, like the multi-line form. */
function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(inOneLine).join(', ')} ]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inOneLine(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

interface Splice {
  readonly at: number;
  readonly cut: number;
  readonly put: string;
}

/** The splices are in any order and do not overlap; two at one position keep their order. */
function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const splice of [...splices].sort((one, other) => one.at - other.at)) {
    result += text.slice(at, splice.at) + splice.put;
    at = splice.at + splice.cut;
  }
  return result + text.slice(at);
}
