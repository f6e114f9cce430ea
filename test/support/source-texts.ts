import {
  childrenOf,
  functions,
  importsOf,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  type Source,
} from './syntax.ts';

/** Stands for whatever is only known while the program runs. */
export const hole = '\u0000';

/** A function with what it may give back and how its names come by their values. */
export interface Callee {
  readonly id: number;
  readonly name: string;
  readonly file: string;
  readonly node: Node;
  readonly parameters: readonly string[];
  readonly returns: readonly Node[];
  /** Everything a variable of its own is ever set to. */
  readonly values: ReadonlyMap<string, readonly Node[]>;
}

/** The functions around a place, the innermost first; the last is the file itself. */
export type Scope = readonly Callee[];

/** The texts that expressions of all the sources can become, as far as the sources tell. */
export class Texts {
  readonly sources: readonly Source[];
  readonly #callees: Callee[] = [];
  readonly #byNode = new Map<Node, Callee>();
  readonly #byName = new Map<string, Callee[]>();
  readonly #files = new Map<string, Callee>();
  /** By file, the room or file that a name was imported from. */
  readonly #imports = new Map<string, ReadonlyMap<string, string>>();

  constructor(sources: readonly Source[]) {
    this.sources = sources;
    for (const { file, program } of sources) {
      this.#imports.set(file, importsOf(program, file));
      this.#collect(program, file, '');
    }
  }

  /** Calls `visit` with every node and the functions around it. */
  walk(visit: (node: Node, scope: Scope, file: string) => void): void {
    const step = (node: Node, scope: Scope, file: string): void => {
      const own = this.#byNode.get(node);
      const inner = own === undefined ? scope : [own, ...scope];
      visit(node, inner, file);
      for (const child of childrenOf(node)) step(child, inner, file);
    };
    for (const { file, program } of this.sources) step(program, [], file);
  }

  /**
   * What `node` can say: one text a way, with holes, and with a mark for every parameter of a function around it.
   */
  of(node: Node | null, scope: Scope, depth = 0): string[] {
    if (node === null || depth > 9) return [hole];
    const inner = (key: string): string[] => this.of(nodeAt(node, key), scope, depth + 1);
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' || typeof node.value === 'number' ? [`${node.value}`] : [hole];
      case 'TemplateLiteral':
        return this.#template(node, scope, depth);
      case 'BinaryExpression': {
        const isSum = [nodeAt(node, 'left'), nodeAt(node, 'right')].some(
          (one) => typeof one?.value === 'number',
        );
        return node.operator === '+' && !isSum ? product([inner('left'), inner('right')]) : [hole];
      }
      case 'ArrayExpression':
        return unique(nodesAt(node, 'elements').flatMap((one) => this.of(one, scope, depth + 1)));
      case 'ConditionalExpression':
        return unique([...inner('consequent'), ...inner('alternate')]);
      case 'LogicalExpression':
        // `?? ''` stands for what is not told.
        if (node.operator === '&&') return inner('right');
        return unique([...inner('left'), ...inner('right')].map((text) => text || hole));
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'ParenthesizedExpression':
        return inner('expression');
      case 'SpreadElement':
      case 'AwaitExpression':
        return inner('argument');
      case 'Identifier':
        return this.#name(nameOf(node), scope, depth);
      case 'CallExpression':
        return this.#call(node, scope, depth);
      default:
        return [hole];
    }
  }

  /** The function that is called, where its name and the imports tell it. */
  calleeOf(call: Node, file: string): Callee | null {
    const callee = nodeAt(call, 'callee');
    const name = nameOf(callee);
    const from = callee?.type === 'Identifier' ? this.#imports.get(file)?.get(name) : undefined;
    const named = (this.#byName.get(name) ?? []).filter((one) =>
      from === undefined ? one.file === file : one.file === from || one.file.startsWith(`${from}/`),
    );
    return named.length === 1 ? (named[0] ?? null) : null;
  }

  /** The text with the parameters of `callee` put in as one call gives them. */
  filled(text: string, callee: Callee, call: Node, scope: Scope, depth = 0): string[] {
    const given = nodesAt(call, 'arguments');
    return callee.parameters.reduce<string[]>(
      (texts, name, at) => {
        const mark = markOf(callee, name);
        if (name === '' || !texts.some((one) => one.includes(mark))) return texts;
        // An empty text is what is put there before there is another.
        const values = this.of(given[at] ?? null, scope, depth + 1).map((value) => value || hole);
        return unique(texts.flatMap((one) => values.map((value) => one.replaceAll(mark, () => value))));
      },
      [text],
    );
  }

  #template(node: Node, scope: Scope, depth: number): string[] {
    const quasis = nodesAt(node, 'quasis').map(({ value }) => {
      const isText = typeof value === 'object' && value !== null && 'cooked' in value;
      return isText && typeof value.cooked === 'string' ? value.cooked : '';
    });
    const filling = nodesAt(node, 'expressions').map((one) => this.of(one, scope, depth + 1));
    return product(quasis.flatMap((quasi, at) => [[quasi], filling[at] ?? ['']]));
  }

  #name(name: string, scope: Scope, depth: number): string[] {
    if (opaque.has(name)) return [hole];
    for (const [at, around] of scope.entries()) {
      const values = around.values.get(name);
      if (values !== undefined)
        return unique(values.flatMap((one) => this.of(one, scope.slice(at), depth + 1)));
      if (around.parameters.includes(name)) return [markOf(around, name)];
    }
    return this.#imported(name, scope.at(-1)?.file ?? '', depth);
  }

  /** A constant of another file. */
  #imported(name: string, file: string, depth: number): string[] {
    const from = this.#imports.get(file)?.get(name);
    if (from === undefined) return [hole];
    const files = [...this.#files.values()].filter(
      (one) => one.values.has(name) && (one.file === from || one.file.startsWith(`${from}/`)),
    );
    const [there, ...more] = files;
    if (there === undefined || more.length > 0) return [hole];
    return (there.values.get(name) ?? []).flatMap((one) => this.of(one, [there], depth + 1));
  }

  #call(node: Node, scope: Scope, depth: number): string[] {
    const callee = this.calleeOf(node, scope.at(-1)?.file ?? '');
    if (callee === null || opaque.has(callee.name)) return [hole];
    const whole = this.#files.get(callee.file);
    const around = whole === undefined ? [callee] : [callee, whole];
    const texts = callee.returns.flatMap((one) => this.of(one, around, depth + 2));
    return unique(texts.flatMap((text) => this.filled(text, callee, node, scope, depth)));
  }

  #collect(node: Node, file: string, name: string): void {
    if (functions.has(node.type) || node.type === 'Program') {
      const values = new Map<string, Node[]>();
      const returns: Node[] = [];
      const body = nodeAt(node, 'body');
      if (body !== null && body.type !== 'BlockStatement') returns.push(body);
      for (const child of childrenOf(node)) gather(child, values, returns);
      const parameters = nodesAt(node, 'params').map(nameOf);
      const callee = { id: this.#callees.length, name, file, node, parameters, returns, values };
      this.#callees.push(callee);
      this.#byNode.set(node, callee);
      if (node.type === 'Program') this.#files.set(file, callee);
      if (name !== '') this.#byName.set(name, [...(this.#byName.get(name) ?? []), callee]);
    }
    const own = nameOf(nodeAt(node, 'id') ?? nodeAt(node, 'key'));
    for (const child of childrenOf(node)) {
      const isNamed =
        functions.has(child.type) && ['VariableDeclarator', 'MethodDefinition'].includes(node.type);
      this.#collect(child, file, isNamed ? own : nameOf(nodeAt(child, 'id')));
    }
  }
}

/** Told apart by their sums elsewhere, or no text of ours: what they give back is a hole. */
const opaque = new Set([
  'version',
  'messageOf',
  'jsonErrorOf',
  'errorCode',
  'plural',
  'shown',
  'harmless',
  'plain',
  'namesInWords',
]);

function gather(node: Node, values: Map<string, Node[]>, returns: Node[]): void {
  const set = (name: string, value: Node | null): void => {
    // An empty text is what stands there before there is one.
    if (name !== '' && value !== null && !functions.has(value.type) && value.value !== '') {
      values.set(name, [...(values.get(name) ?? []), value]);
    }
  };
  if (functions.has(node.type)) return;
  if (node.type === 'VariableDeclarator') set(nameOf(nodeAt(node, 'id')), nodeAt(node, 'init'));
  const target = node.type === 'AssignmentExpression' ? nodeAt(node, 'left') : null;
  if (target?.type === 'Identifier') set(nameOf(target), nodeAt(node, 'right'));
  const back = node.type === 'ReturnStatement' ? nodeAt(node, 'argument') : null;
  if (back !== null) returns.push(back);
  for (const child of childrenOf(node)) gather(child, values, returns);
}

function markOf(callee: Callee, name: string): string {
  return `\u0001${callee.id}:${name}\u0002`;
}

/** The functions whose parameters a text still waits for. */
export function marked(text: string, scope: Scope): Callee | null {
  return scope.find(({ id }) => text.includes(`\u0001${id}:`)) ?? null;
}

/** With a hole for every parameter that nobody gives. */
export function withoutMarks(text: string): string {
  return text.replace(/\u0001[^\u0002]*\u0002/g, hole);
}

function product(parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>(
    (texts, part) => {
      const ways = texts.length * part.length > waysMax ? [hole] : part;
      return unique(texts.flatMap((text) => ways.map((way) => text + way)));
    },
    [''],
  );
}

/** Of one expression; beyond that a part of it is a hole. */
const waysMax = 24;

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
