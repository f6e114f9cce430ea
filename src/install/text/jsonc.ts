import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { configNestingMax } from '../../limits.ts';
import { Failure } from '../../platform/index.ts';

/** A value in a JSON text with its position: `text.slice(start, end)` is the value itself. */
export type Node = ContainerNode | LeafNode;

interface Range {
  readonly start: number;
  /** Behind the last character. */
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
  /** Of the whole member, its key included. */
  readonly start: number;
  readonly value: Node;
  /** The position of the comma behind it; null when there is none. */
  readonly comma: number | null;
}

export interface Document {
  readonly root: Node;
  /** Whether it holds a comment or a comma behind a last element, which JSON itself does not know. */
  readonly isLoose: boolean;
}

/**
 * Parses JSON (RFC 8259) with comments and trailing commas; skips a byte order mark. The parser's own tree and edits do not do: they
 * know neither commas nor comments, and its edits reformat, so that what they add cannot be removed to the same bytes.
 * @throws Failure `bad_config` that names `file` and line; it quotes nothing of the text, which may hold a secret
 */
export function parseJsonc(text: string, file: string): Document {
  const tree = new TreeBuilder(file);
  visit(
    text.replace(/^\ufeff/, ' '),
    {
      onObjectBegin: (at, _, line) => tree.open('object', at, line),
      onArrayBegin: (at, _, line) => tree.open('array', at, line),
      onObjectEnd: (at) => tree.close(at + 1),
      onArrayEnd: (at) => tree.close(at + 1),
      onObjectProperty: (name, at) => tree.key(name, at),
      onLiteralValue: (value: LeafNode['value'], start, length) =>
        tree.add({ kind: 'leaf', value, start, end: start + length }),
      onSeparator: (sign, at) => tree.separator(sign, at),
      onComment: (start, length) => tree.comment({ start, end: start + length }),
      onError: (code, _, __, line) => tree.fail(wordsFor(code, tree.root !== null), line),
    },
    { allowTrailingComma: true },
  );
  if (tree.root === null) return tree.fail('a value is expected', 0);
  return { root: tree.root, isLoose: tree.isLoose };
}

/** The plain value of a node. Of two members with one name the last counts, as with `JSON.parse`. */
export function plainValue(node: Node): unknown {
  if (node.kind === 'leaf') return node.value;
  if (node.kind === 'array') return node.children.map((child) => plainValue(child.value));
  return Object.fromEntries(node.children.map((child) => [child.key ?? '', plainValue(child.value)]));
}

type Growing<T> = { -readonly [Key in keyof T]: T[Key] };

interface OpenContainer {
  readonly kind: ContainerNode['kind'];
  readonly start: number;
  readonly children: Growing<Child>[];
  readonly comments: Range[];
  key: { readonly name: string; readonly start: number } | null;
}

/** Builds the tree from what the parser visits, in the text's order. */
class TreeBuilder {
  readonly #file: string;
  readonly #open: OpenContainer[] = [];
  root: Node | null = null;
  isLoose = false;

  constructor(file: string) {
    this.#file = file;
  }

  open(kind: ContainerNode['kind'], start: number, line: number): void {
    // The parser calls itself for each level: deeper ones would overflow the stack.
    if (this.#open.length === configNestingMax) this.fail('it is nested too deep', line);
    this.#open.push({ kind, start, children: [], comments: [], key: null });
  }

  close(end: number): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    const { kind, start, children, comments } = closed;
    if ((children.at(-1)?.comma ?? null) !== null) this.isLoose = true;
    this.add({ kind, start, end, children, comments });
  }

  key(name: string, start: number): void {
    const container = this.#open.at(-1);
    if (container !== undefined) container.key = { name, start };
  }

  add(value: Node): void {
    const container = this.#open.at(-1);
    if (container === undefined) this.root = value;
    else {
      const { name = null, start = value.start } = container.key ?? {};
      container.children.push({ key: name, start, value, comma: null });
    }
  }

  separator(sign: string, at: number): void {
    const last = this.#open.at(-1)?.children.at(-1);
    if (sign === ',' && last !== undefined) last.comma = at;
  }

  comment(range: Range): void {
    this.isLoose = true;
    this.#open.at(-1)?.comments.push(range);
  }

  fail(what: string, line: number): never {
    throw new Failure('bad_config', `${this.#file} line ${line + 1}: ${what}`, {
      safe: 'nothing was changed',
      repair: 'correct the file, then run this again',
    });
  }
}

const errorWords: Readonly<Record<string, string>> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  PropertyNameExpected: 'a name in double quotes is expected',
  CloseBraceExpected: 'a closing bracket is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  UnexpectedEndOfComment: 'a comment does not end',
  EndOfFileExpected: 'there is something behind the end',
};

function wordsFor(code: ParseErrorCode, isBehindRoot: boolean): string {
  const name = printParseErrorCode(code);
  // What is no value at all is skipped, so that nothing seems to be behind the end.
  if (name === 'InvalidSymbol' && isBehindRoot) return 'there is something behind the end';
  return errorWords[name] ?? 'a value is expected';
}
