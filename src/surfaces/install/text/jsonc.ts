import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { badConfig } from './bad-config.ts';

const configNestingMax = 200;

/** A value with its position: `text.slice(start, end)`. */
export type Node = ContainerNode | LeafNode;

interface Range {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
}

export interface LeafNode extends Range {
  readonly kind: 'leaf';
  readonly value: string | number | boolean | null;
}

export interface ContainerNode extends Range {
  readonly kind: 'object' | 'array';
  readonly children: readonly Child[];
  readonly comments: readonly Range[];
}

/** One member of an object, or element of an array (`key` is null). */
export interface Child {
  readonly key: string | null;
  /** Of the member with its key. */
  readonly start: number;
  readonly value: Node;
  /** The position of the comma after it, or null. */
  readonly comma: number | null;
}

export interface Document {
  readonly root: Node;
  /** Whether it has a comment or a trailing comma. */
  readonly isLoose: boolean;
}

/**
 * Parses JSON (RFC 8259) with comments and trailing commas; skips a byte order mark. jsonc-parser's own tree lacks commas and
 * comments, and its edits reformat, so their removal would not restore the same bytes.
 * @throws Failure `bad_config` with `file` and line; it quotes no text, which may hold a secret
 */
export function parseJsonc(text: string, file: string): Document {
  const outermost = opened('array', -1, null);
  let inner = outermost;
  let isLoose = false;
  const fail = (what: string, line: number): never => {
    throw badConfig(`${file} line ${line + 1}: ${what}`);
  };
  const add = (value: Node): void => {
    const { name = null, start = value.start } = inner.key ?? {};
    inner.children.push({ key: name, start, value, comma: null });
  };
  const open = (kind: ContainerNode['kind']) => (start: number, _: number, line: number) => {
    // The parser is recursive: deeper levels would overflow the stack.
    if (inner.depth === configNestingMax) fail('it is nested too deeply', line);
    inner = opened(kind, start, inner);
  };
  const close = (at: number): void => {
    const { kind, start, children, comments, outer } = inner;
    isLoose ||= (children.at(-1)?.comma ?? null) !== null;
    inner = outer ?? outermost;
    add({ kind, start, end: at + 1, children, comments });
  };
  const visitor: JSONVisitor = {
    onObjectBegin: open('object'),
    onArrayBegin: open('array'),
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty: (name, start) => {
      inner.key = { name, start };
    },
    onLiteralValue: (value: LeafNode['value'], start, length) =>
      add({ kind: 'leaf', value, start, end: start + length }),
    onSeparator: (sign, at) => {
      const last = inner.children.at(-1);
      if (sign === ',' && last !== undefined) last.comma = at;
    },
    onComment: (start, length) => {
      isLoose = true;
      inner.comments.push({ start, end: start + length });
    },
    onError: (code, _, __, line) => fail(wordsFor(code, outermost.children.length > 0), line),
  };
  visit(text.replace(/^\ufeff/, ' '), visitor, { allowTrailingComma: true });
  const root = outermost.children[0]?.value;
  return root === undefined ? fail('a value is expected', 0) : { root, isLoose };
}

/** Of two members with one name the last counts, as with `JSON.parse`. */
export function plainValue(node: Node): unknown {
  if (node.kind === 'leaf') return node.value;
  if (node.kind === 'array') return node.children.map((child) => plainValue(child.value));
  return Object.fromEntries(node.children.map((child) => [child.key ?? '', plainValue(child.value)]));
}

/** A container that is still open; the outermost one is the text itself. */
interface OpenContainer {
  readonly kind: ContainerNode['kind'];
  readonly start: number;
  readonly children: { -readonly [Key in keyof Child]: Child[Key] }[];
  readonly comments: Range[];
  readonly outer: OpenContainer | null;
  readonly depth: number;
  /** Of the member whose value follows. */
  key: { readonly name: string; readonly start: number } | null;
}

function opened(kind: ContainerNode['kind'], start: number, outer: OpenContainer | null): OpenContainer {
  const depth = outer === null ? 0 : outer.depth + 1;
  return { kind, start, children: [], comments: [], outer, depth, key: null };
}

const errorWords: Readonly<Record<string, string>> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  PropertyNameExpected: 'a name in double quotes is expected',
  CloseBraceExpected: 'a closing bracket is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  UnexpectedEndOfComment: 'a comment does not end',
  EndOfFileExpected: 'there is text after the end',
};

function wordsFor(code: ParseErrorCode, isBehindRoot: boolean): string {
  const name = printParseErrorCode(code);
  // The parser skips an invalid value, so text after the end gets the code of an invalid symbol.
  if (name === 'InvalidSymbol' && isBehindRoot) return 'there is text after the end';
  return errorWords[name] ?? 'a value is expected';
}
