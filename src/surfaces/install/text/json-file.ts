import { badConfig } from './bad-config.ts';
import { append, create, remove, replace } from './edit-json.ts';
import { type Child, type ContainerNode, type Document, type Node, parseJsonc, plainValue } from './jsonc.ts';

/** Names of members and numbers of elements, from the root on. */
export type Path = readonly (string | number)[];

/** A JSON file during changes. */
export class JsonFile {
  readonly #file: string;
  readonly #isLooseAllowed: boolean;
  #text: string | null;
  /** The parsed text, since some of these files have megabytes. */
  #parsed: { readonly of: string; readonly document: Document } | null = null;

  /** `text` is null for a missing file. @throws Failure `bad_config` for invalid JSON, or comments that its client cannot read */
  constructor(text: string | null, file: string, isLooseAllowed: boolean) {
    this.#text = text;
    this.#file = file;
    this.#isLooseAllowed = isLooseAllowed;
    if (this.#root() !== null) this.members();
  }

  get text(): string | null {
    return this.#text;
  }

  /** The value at a path; undefined when there is none. */
  value(...path: Path): unknown {
    const node = this.#node(path);
    return node === null ? undefined : plainValue(node);
  }

  /** The names of an object's members; empty if it is missing. @throws Failure `bad_config` if it is not an object */
  members(...path: Path): string[] {
    const container = this.#container('object', path);
    return [...new Set(container?.children.map(({ key }) => key ?? '') ?? [])];
  }

  /** Appends a member; creates missing objects on its path. */
  put(path: readonly [string, ...string[]], value: unknown): void {
    let depth = path.length - 1;
    while (depth > 0 && this.#container('object', path.slice(0, depth)) === null) depth -= 1;
    const container = this.#container('object', path.slice(0, depth));
    const key = path[depth] ?? path[0];
    const made = path.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    if (this.#text === null) this.#text = create({ [key]: made });
    else if (container === null) this.#text += create({ [key]: made }).trimEnd();
    else this.#text = append(this.#text, container, { key, value: made });
  }

  /** Appends an element to a list; creates a missing list. */
  add(path: readonly [string, ...string[]], value: unknown): void {
    const list = this.#container('array', path);
    if (list === null || this.#text === null) this.put(path, [value]);
    else this.#text = append(this.#text, list, { key: null, value });
  }

  /** Replaces an existing value. */
  replace(path: Path, value: unknown): void {
    const [outer, node] = [this.#node(path.slice(0, -1)), this.#node(path)];
    if (this.#text === null || node === null || outer === null || outer.kind === 'leaf') return;
    this.#text = replace(this.#text, outer, node, value);
  }

  /** Removes a member or an element, and the empty containers that were made for it. */
  take(path: Path): void {
    const name = path.at(-1);
    const container = this.#node(path.slice(0, -1));
    if (this.#text === null || name === undefined || container === null || container.kind === 'leaf') return;
    const child = childOf(container, name);
    if (child === undefined) return;
    const left = remove(this.#text, container, child);
    if (left !== null) this.#text = left;
    else if (path.length > 1) this.take(path.slice(0, -1));
    else {
      const around = this.#text.slice(0, container.start) + this.#text.slice(container.end);
      // A file made here ends with a newline after the object; an existing empty one does not.
      this.#text = around === '\n' && container.start === 0 ? null : around;
    }
  }

  #root(): Node | null {
    return this.#text === null || /^\s*$/.test(this.#text) ? null : this.#document(this.#text).root;
  }

  #node(path: Path): Node | null {
    let node = this.#root();
    for (const name of path) {
      if (node === null || node.kind === 'leaf') return null;
      node = childOf(node, name)?.value ?? null;
    }
    return node;
  }

  #container(kind: ContainerNode['kind'], path: Path): ContainerNode | null {
    const node = this.#node(path);
    if (node === null) return null;
    if (node.kind === kind) return node;
    const what = path.length === 0 ? 'its content' : path.map((name) => JSON.stringify(name)).join('.');
    throw badConfig(`${this.#file}: ${what} is not ${kind === 'object' ? 'an object' : 'a list'}`);
  }

  #document(text: string): Document {
    if (this.#parsed?.of === text) return this.#parsed.document;
    const document = parseJsonc(text, this.#file);
    this.#parsed = { of: text, document };
    if (!document.isLoose || this.#isLooseAllowed) return document;
    const what = 'has comments or a trailing comma, which its assistant cannot read';
    throw badConfig(`${this.#file} ${what}`, 'remove them');
  }
}

/** Of two members with one name the last counts, as with `JSON.parse`. */
function childOf(container: ContainerNode, name: string | number): Child | undefined {
  if (typeof name === 'number') return container.kind === 'array' ? container.children[name] : undefined;
  return container.kind === 'object' ? container.children.findLast(({ key }) => key === name) : undefined;
}
