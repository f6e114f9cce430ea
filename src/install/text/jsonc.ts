import { configNestingMax } from '../../limits.ts';
import { Failure } from '../../platform/index.ts';

/** A value in a text of JSON, with where it stands: `text.slice(start, end)` is the value itself. */
export type Node = ContainerNode | LeafNode;

interface Place {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

export interface LeafNode extends Place {
  readonly kind: 'leaf';
  readonly value: string | number | boolean | null;
}

export interface ContainerNode extends Place {
  readonly kind: 'object' | 'array';
  readonly children: readonly Child[];
  readonly comments: readonly Place[];
}

/** One member of an object, or element of an array (`key` is null). */
export interface Child {
  readonly key: string | null;
  /** Of the whole member, its key included. */
  readonly start: number;
  readonly value: Node;
  /** Where the comma behind it stands; null when there is none. */
  readonly comma: number | null;
}

export interface Document {
  readonly root: Node;
  /** Whether it holds a comment or a comma behind a last element, which JSON itself does not know. */
  readonly isLoose: boolean;
}

/**
 * The structure of a text of JSON (RFC 8259) with line and block comments and commas behind last elements. A byte order mark
 * is skipped. @throws Failure `bad_config` that names `file` and line; it quotes nothing of the text, which may hold a secret
 */
export function parseJsonc(text: string, file: string): Document {
  return new Parser(text, file).document();
}

/** The plain value of a node. Of two members with one name the last counts, as with `JSON.parse`. */
export function plainValue(node: Node): unknown {
  if (node.kind === 'leaf') return node.value;
  if (node.kind === 'array') return node.children.map((child) => plainValue(child.value));
  return Object.fromEntries(node.children.map((child) => [child.key ?? '', plainValue(child.value)]));
}

const space = /[ \t\r\n]*/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const comment = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;

class Parser {
  readonly #text: string;
  readonly #file: string;
  #at = 0;
  #depth = 0;
  #isLoose = false;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  document(): Document {
    if (this.#text.startsWith('\ufeff')) this.#at = 1;
    this.#trivia();
    const root = this.#value();
    this.#trivia();
    if (this.#at < this.#text.length) this.#fail('there is something behind the end');
    return { root, isLoose: this.#isLoose };
  }

  #value(): Node {
    const opening = this.#text[this.#at];
    if (opening === '{') return this.#container('object', '}');
    if (opening === '[') return this.#container('array', ']');
    const start = this.#at;
    const value: LeafNode['value'] = JSON.parse(this.#take(opening === '"' ? string : word, 'a value'));
    return { kind: 'leaf', start, end: this.#at, value };
  }

  #container(kind: ContainerNode['kind'], closing: string): ContainerNode {
    const start = this.#at;
    this.#depth += 1;
    if (this.#depth > configNestingMax) this.#fail('it is nested too deep');
    this.#at += 1;
    const comments = this.#trivia();
    const children: Child[] = [];
    while (this.#text[this.#at] !== closing) {
      if (children.length > 0 && children.at(-1)?.comma === null) this.#fail('a comma is missing');
      children.push(this.#child(kind, comments));
    }
    if (children.length > 0 && children.at(-1)?.comma !== null) this.#isLoose = true;
    this.#at += 1;
    this.#depth -= 1;
    return { kind, start, end: this.#at, children, comments };
  }

  #child(kind: ContainerNode['kind'], comments: Place[]): Child {
    const start = this.#at;
    let key: string | null = null;
    if (kind === 'object') {
      key = JSON.parse(this.#take(string, 'a name in double quotes'));
      comments.push(...this.#trivia());
      if (this.#text[this.#at] !== ':') this.#fail('a colon is missing');
      this.#at += 1;
      comments.push(...this.#trivia());
    }
    const value = this.#value();
    comments.push(...this.#trivia());
    const comma = this.#text[this.#at] === ',' ? this.#at : null;
    if (comma !== null) {
      this.#at += 1;
      comments.push(...this.#trivia());
    }
    return { key, start, value, comma };
  }

  /** Skips white space and comments; tells the comments. */
  #trivia(): Place[] {
    const comments: Place[] = [];
    for (;;) {
      space.lastIndex = this.#at;
      this.#at += space.exec(this.#text)?.[0].length ?? 0;
      if (this.#text[this.#at] !== '/') return comments;
      const start = this.#at;
      this.#take(comment, 'a comment that ends');
      comments.push({ start, end: this.#at });
      this.#isLoose = true;
    }
  }

  #take(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return this.#fail(`${what} is expected`);
    this.#at += found.length;
    return found;
  }

  #fail(what: string): never {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    throw new Failure('bad_config', `${this.#file} line ${line}: ${what}`, {
      safe: 'nothing was changed',
      repair: 'correct the file, then run this again',
    });
  }
}
